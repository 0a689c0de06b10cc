package ops

import (
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/outbox"
)

// Pending events, from the transaction of the change until every receiver has handled them.
// The events of a shard are delivered in the order of their times.
var events = keyspec.Define[eventItem](Table, keyspec.Row{
	Key: keyspec.K("outbox/{shard}", "{at}/{id}"),
})

type eventItem struct {
	Shard string    `dynamo:"shard,keyonly"`
	At    time.Time `dynamo:"at,keyonly"`
	ID    string    `dynamo:"id,keyonly"`
	// Event is the event's name, Data its fields as JSON.
	Event string `dynamo:"event"`
	Data  string `dynamo:"data"`
	// OrderingKey is what the event is about.
	OrderingKey string `dynamo:"orderingKey"`
	// CausedAt is the time of the event that caused this one; absent if there is none.
	CausedAt time.Time `dynamo:"causedAt"`
}

// Lanes: the rest of a fan-out that was too large to finish at once. It continues at the
// cursor.
var lanes = keyspec.Define[laneItem](Table, keyspec.Row{
	Key: keyspec.K("lane/{shard}", "{at}/{id}/{lane}"),
})

type laneItem struct {
	eventItem
	Lane   string `dynamo:"lane,keyonly"`
	Cursor string `dynamo:"cursor"`
}

// Record stores events in the transaction of the change. A store method whose decision has
// events takes them as ...outbox.Record and passes them on here.
func Record(tx *keyspec.Tx, records ...outbox.Record) {
	if len(records) == 0 {
		return
	}
	for _, r := range records {
		events.Create(tx, eventItemOf(r))
	}
	tx.OnCommit(func() { outbox.MarkStored(records) })
}

func eventItemOf(r outbox.Record) eventItem {
	item := eventItem{
		Shard: strconv.Itoa(r.Shard()), At: r.At, ID: r.ID,
		Event: r.Name, Data: string(r.Data), OrderingKey: r.Key,
	}
	if !r.Since.Equal(r.At) {
		item.CausedAt = r.Since
	}
	return item
}

func (i *eventItem) record() outbox.Record {
	r := outbox.Record{
		ID: i.ID, At: i.At, Since: i.At, Name: i.Event, Key: i.OrderingKey, Data: []byte(i.Data),
	}
	if !i.CausedAt.IsZero() {
		r.Since = i.CausedAt
	}
	return r
}

func (i *laneItem) lane() outbox.Lane {
	return outbox.Lane{Record: i.eventItem.record(), Name: i.Lane, Cursor: i.Cursor}
}
