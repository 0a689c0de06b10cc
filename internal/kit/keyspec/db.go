package keyspec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/raw"
)

// DB reads and writes the items of a set of tables.
type DB struct {
	client dynamodbiface.DynamoDBAPI
	tables []*Table
	names  map[*Table]*string
	byName map[string]*Table
	// raw is nil if the client only supports items in the SDK's form.
	raw       raw.Store
	observers []Observer
	// source is what scans read; nil stands for the client.
	source Source
	// pause waits before a retry, or until ctx is done.
	pause func(ctx context.Context, attempt int) error

	// OnDrift is called for each omitted counter shift; see Update.Shift. It may be called
	// concurrently. Set it before the first write.
	OnDrift func(ctx context.Context, d Drift)
}

// Open returns a DB for tables whose physical names consist of the prefix and their own
// name. If the client is a [raw.Store], or wraps one and has methods Unwrap and Observe,
// items bypass the SDK's form. It panics if the rows of a table contradict each other.
func Open(db *dynamo.DB, prefix string, tables ...*Table) *DB {
	d := &DB{
		client:  db.Client(),
		tables:  tables,
		names:   map[*Table]*string{},
		byName:  map[string]*Table{},
		pause:   pause,
		OnDrift: func(context.Context, Drift) {},
	}
	d.raw, d.observers = findRaw(db.Client())
	for _, t := range tables {
		if err := t.Check(); err != nil {
			panic(err)
		}
		d.names[t] = aws.String(prefix + t.Name)
		d.byName[prefix+t.Name] = t
	}
	return d
}

// name returns the physical name of a table.
func (db *DB) name(t *Table) *string {
	name, ok := db.names[t]
	if !ok {
		panic(fmt.Sprintf("keyspec: table %s was not given to Open", t.Name))
	}
	return name
}

// Delays between attempts start at firstDelay, double, and stay below lastDelay.
const (
	firstDelay = 10 * time.Millisecond
	lastDelay  = time.Second
)

// pause waits for a random part of the attempt's delay, so that conflicting writers do not
// conflict again.
func pause(ctx context.Context, attempt int) error {
	delay := min(firstDelay<<min(attempt, 10), lastDelay)
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(delay))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
