package store

import "stoa/systems/archive"

// stamps are when an item was made and last changed, as texts that compare as they are.
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

// idOf reads an id from a key. Keys of this program hold nothing else.
func idOf(text string) archive.ID {
	id, _ := archive.ParseID(text)
	return id
}
