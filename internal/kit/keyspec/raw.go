package keyspec

import (
	"context"

	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/raw"
)

// Observer is a client that wraps another and sees calls that go past it to a
// [raw.Store], each as the operation it stands for. Such a client needs Unwrap too, which
// returns the client within, or be a raw.Store itself: where a wrapper is neither,
// everything is read and written through the SDK's calls.
type Observer interface {
	// Observe is called before a call, and keeps nothing of tables. What it returns is
	// called once after.
	Observe(ctx context.Context, operation string, tables ...string) func(error)
}

// findRaw finds the store within wrapped clients.
func findRaw(client dynamodbiface.DynamoDBAPI) (raw.Store, []Observer) {
	var observers []Observer
	for {
		if o, ok := client.(Observer); ok {
			observers = append(observers, o)
		}
		if s, ok := client.(raw.Store); ok {
			return s, observers
		}
		wrapper, ok := client.(interface {
			Unwrap() dynamodbiface.DynamoDBAPI
		})
		if !ok {
			return nil, nil
		}
		client = wrapper.Unwrap()
	}
}

// Health reports why the store in this process does not serve all calls, such as a full
// disk. It is nil for a store elsewhere.
func (db *DB) Health() error {
	if s, ok := db.raw.(interface{ Health() error }); ok {
		return s.Health()
	}
	return nil
}

// observe tells all observers of a call and returns how to tell them of its end.
func (db *DB) observe(ctx context.Context, operation string, tables ...string) func(error) {
	if len(db.observers) == 1 {
		return db.observers[0].Observe(ctx, operation, tables...)
	}
	ends := make([]func(error), len(db.observers))
	for i, o := range db.observers {
		ends[i] = o.Observe(ctx, operation, tables...)
	}
	return func(err error) {
		for _, end := range ends {
			end(err)
		}
	}
}
