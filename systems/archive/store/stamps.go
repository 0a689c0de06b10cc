package store

import "stoa/systems/archive"

// asRead is the condition that an item has not been changed since it was read.
const asRead = "last_update_time = ?"

// idOf parses an id in a key. Keys of this program contain nothing else.
func idOf(text string) archive.ID {
	id, _ := archive.ParseID(text)
	return id
}
