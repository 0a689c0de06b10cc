package store

import "stoa/systems/archive"

// stamps are the times of an item's creation and last change, as texts that sort like the
// times.
type stamps struct {
	InsertTime     string `dynamo:"insert_time"`
	LastUpdateTime string `dynamo:"last_update_time"`
}

func stampsOf(s archive.Stamps) stamps {
	return stamps{archive.FormatTime(s.InsertTime), archive.FormatTime(s.LastUpdateTime)}
}

func (s stamps) stamps() archive.Stamps {
	return archive.Stamps{InsertTime: archive.ParseTime(s.InsertTime), LastUpdateTime: archive.ParseTime(s.LastUpdateTime)}
}

// asRead is the condition that an item has not been changed since it was read.
const asRead = "last_update_time = ?"

// idOf parses an id in a key. Keys of this program contain nothing else.
func idOf(text string) archive.ID {
	id, _ := archive.ParseID(text)
	return id
}
