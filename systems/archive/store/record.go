package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A record, under its own id. Listed by post and id.
var records = keyspec.Define[recordItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "record_post#{PostID}"),
	On:  keyspec.Indexes{BySort: keyspec.K("record_post#{PostID}", "{paddedID}")},
})

type recordItem struct {
	archive.Record
	Key      string `dynamo:"ID,keyonly"`
	PostKey  string `dynamo:"PostID,keyonly"`
	PaddedID string `dynamo:"paddedID,keyonly"`
	Hashed   string `dynamo:"ix_hash"`
}

// recordCounts are counters on the post.
var recordCounts = keyspec.Count(records, keyspec.Counters[recordItem]{
	{Attribute: "record_count", Owner: func(r *recordItem) keyspec.Key { return posts.Key(r.PostKey) }},
})

// A household of a post. Listed by number over all posts.
var households = keyspec.Define[householdItem](Archive, keyspec.Row{
	Key: keyspec.K("{PostID}", "record_household#{Household}"),
	On:  keyspec.Indexes{BySort: keyspec.K("record_household#{Household}", "{paddedPostID}")},
})

type householdItem struct {
	archive.Household
	PostKey      string `dynamo:"PostID,keyonly"`
	PaddedPostID string `dynamo:"paddedPostID,keyonly"`
}

func recordKey(r archive.RecordRef) keyspec.Key { return records.Key(r.ID.String(), r.PostID.String()) }

func householdKey(h archive.HouseholdRef) keyspec.Key {
	return households.Key(h.PostID.String(), h.Number)
}

func recordItemOf(r *archive.Record) recordItem {
	i := recordItem{*r, r.ID.String(), r.PostID.String(), r.ID.Padded(), r.Hash()}
	if i.Data == nil {
		i.Data = map[string]string{} // stored even if it is empty
	}
	return i
}

func (i *recordItem) record() *archive.Record {
	i.ID, i.PostID = idOf(i.Key), idOf(i.PostKey)
	return &i.Record
}

func householdItemOf(h *archive.Household) householdItem {
	return householdItem{*h, h.PostID.String(), h.PostID.Padded()}
}

func (i *householdItem) household() *archive.Household {
	i.PostID = idOf(i.PostKey)
	return &i.Household
}
