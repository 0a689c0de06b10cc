package ops

import (
	"context"
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
	// Attempts, FailedAt and Error are outbox.Failures; absent if there are few.
	Attempts int       `dynamo:"attempts"`
	FailedAt time.Time `dynamo:"failedAt"`
	Error    string    `dynamo:"error"`
	// Trace is where in a trace the event was caused; absent if it is not traced.
	Trace string `dynamo:"trace"`
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

// Processes that deliver events. What a process writes about its lanes is conditional on its
// row: whoever takes over its shards removes it.
var processes = keyspec.Define[processItem](Table, keyspec.Row{
	Key: keyspec.K("processes", "process/{id}"),
})

type processItem struct {
	ID     string `dynamo:"id,keyonly"`
	Holder string `dynamo:"holder"`
	// Beat changes as long as the process lives.
	Beat int64 `dynamo:"beat"`
	// Version, StartedAt and SeenAt are what the process tells of itself.
	Version   string    `dynamo:"version"`
	StartedAt time.Time `dynamo:"startedAt"`
	SeenAt    time.Time `dynamo:"seenAt"`
}

func memberOf(i processItem) outbox.Member {
	return outbox.Member{ID: i.ID, Holder: i.Holder, Beat: i.Beat, Version: i.Version, StartedAt: i.StartedAt, SeenAt: i.SeenAt}
}

func processItemOf(m outbox.Member) processItem {
	return processItem{ID: m.ID, Holder: m.Holder, Beat: m.Beat, Version: m.Version, StartedAt: m.StartedAt, SeenAt: m.SeenAt}
}

// The processes that own the shards.
var owners = keyspec.Define[ownersItem](Table, keyspec.Row{
	Key: keyspec.K("processes", "owners"),
})

type ownersItem struct {
	Version int64 `dynamo:"version"`
	// Owners has the id of a process, or "", for each shard.
	Owners []string `dynamo:"owners"`
}

// Dead letters: events and lanes that are not attempted anymore. They stay until an operator
// retries or drops them.
var deadLetters = keyspec.Define[deadItem](Table, keyspec.Row{
	Key: keyspec.K("deadLetters", "{letter}"),
})

type deadItem struct {
	Letter string `dynamo:"letter,keyonly"`
	// At and ID are those of the event.
	At time.Time `dynamo:"at"`
	ID string    `dynamo:"id"`
	// Event, Data, OrderingKey and CausedAt are as in the event, Lane and Cursor as in the
	// lane.
	Event       string    `dynamo:"event"`
	Data        string    `dynamo:"data"`
	OrderingKey string    `dynamo:"orderingKey"`
	CausedAt    time.Time `dynamo:"causedAt"`
	Lane        string    `dynamo:"lane"`
	Cursor      string    `dynamo:"cursor"`
	ParkedAt    time.Time `dynamo:"parkedAt"`
	Attempts    int       `dynamo:"attempts"`
	Error       string    `dynamo:"error"`
}

// Commit runs the transaction of a change, which also stores events. A store method whose
// decision has events takes them as ...outbox.Record and passes them on here.
func Commit(ctx context.Context, tx *keyspec.Tx, records ...outbox.Record) error {
	Record(tx, records...)
	return tx.Run(ctx)
}

// Record stores events in the transaction of the change, for what runs it elsewhere.
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
		Shard: strconv.Itoa(r.Shard), At: r.At, ID: r.ID,
		Event: r.Name, Data: string(r.Data), OrderingKey: r.Key, Trace: r.Trace,
	}
	if !r.Since.Equal(r.At) {
		item.CausedAt = r.Since
	}
	return item
}

func (i *eventItem) record() outbox.Record {
	r := outbox.Record{
		ID: i.ID, At: i.At, Since: i.At, Name: i.Event, Key: i.OrderingKey, Data: []byte(i.Data), Trace: i.Trace,
	}
	r.Shard, _ = strconv.Atoi(i.Shard)
	r.Failures = outbox.Failures{Attempts: i.Attempts, First: i.FailedAt, Last: i.Error}
	if !i.CausedAt.IsZero() {
		r.Since = i.CausedAt
	}
	return r
}

func (i *laneItem) lane() outbox.Lane {
	return outbox.Lane{Record: i.eventItem.record(), Name: i.Lane, Cursor: i.Cursor}
}

// letterOf names a dead letter: an event may have several lanes.
func letterOf(l outbox.Lane) string {
	if l.Name == "" {
		return l.ID
	}
	return l.ID + "." + l.Name
}

func deadItemOf(d outbox.DeadLetter) deadItem {
	return deadItem{
		Letter: letterOf(d.Lane), At: d.Record.At, ID: d.ID, Event: d.Record.Name, Data: string(d.Data), OrderingKey: d.Key, CausedAt: d.Since,
		Lane: d.Name, Cursor: d.Cursor, ParkedAt: d.At, Attempts: d.Attempts, Error: d.Error,
	}
}

func (i *deadItem) letter() outbox.DeadLetter {
	r := outbox.Record{ID: i.ID, At: i.At, Since: i.CausedAt, Name: i.Event, Key: i.OrderingKey, Data: []byte(i.Data)}
	return outbox.DeadLetter{
		Letter: i.Letter, Lane: outbox.Lane{Record: r, Name: i.Lane, Cursor: i.Cursor}, At: i.ParkedAt, Attempts: i.Attempts, Error: i.Error,
	}
}
