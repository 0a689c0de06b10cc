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
	ID        string            `dynamo:"ID,keyonly"`
	PostID    string            `dynamo:"PostID,keyonly"`
	PaddedID  string            `dynamo:"paddedID,keyonly"`
	Data      map[string]string `dynamo:"data"`
	Hash      string            `dynamo:"ix_hash"`
	Household string            `dynamo:"household"`
	stamps
}

// recordCounts are counters on the post.
var recordCounts = keyspec.Count(records, keyspec.Counters[recordItem]{
	{Attribute: "record_count", Owner: func(r *recordItem) keyspec.Key { return posts.Key(r.PostID) }},
})

// A household of a post. Listed by number over all posts.
var households = keyspec.Define[householdItem](Archive, keyspec.Row{
	Key: keyspec.K("{PostID}", "record_household#{Household}"),
	On:  keyspec.Indexes{BySort: keyspec.K("record_household#{Household}", "{paddedPostID}")},
})

type householdItem struct {
	PostID       string       `dynamo:"PostID,keyonly"`
	Household    string       `dynamo:"Household,keyonly"`
	PaddedPostID string       `dynamo:"paddedPostID,keyonly"`
	Records      []archive.ID `dynamo:"records"`
	stamps
}

func recordKey(r archive.RecordRef) keyspec.Key { return records.Key(r.ID.String(), r.PostID.String()) }

func householdKey(h archive.HouseholdRef) keyspec.Key {
	return households.Key(h.PostID.String(), h.Number)
}

func recordItemOf(r *archive.Record) recordItem {
	data := r.Data
	if data == nil {
		data = map[string]string{}
	}
	return recordItem{
		ID: r.ID.String(), PostID: r.PostID.String(), PaddedID: r.ID.Padded(), Data: data, Household: r.Household,
		Hash: r.Hash(), stamps: stampsOf(r.Stamps),
	}
}

func (i *recordItem) record() *archive.Record {
	return &archive.Record{ID: idOf(i.ID), PostID: idOf(i.PostID), Data: i.Data, Household: i.Household, Stamps: i.stamps.stamps()}
}

func householdItemOf(h *archive.Household) householdItem {
	return householdItem{PostID: h.PostID.String(), Household: h.Number, PaddedPostID: h.PostID.Padded(), Records: h.RecordIDs, stamps: stampsOf(h.Stamps)}
}

func (i *householdItem) household() *archive.Household {
	return &archive.Household{PostID: idOf(i.PostID), Number: i.Household, RecordIDs: i.Records, Stamps: i.stamps.stamps()}
}
