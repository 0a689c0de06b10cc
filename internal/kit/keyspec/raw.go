package keyspec

import (
	"context"

	"github.com/guregu/dynamo/v2/dynamodbiface"

	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/together"
)

// Observer is a client that wraps another one and is notified of calls that bypass it to a
// [raw.Store], in terms of the equivalent SDK operation. Such a client must also have a
// method Unwrap, which returns the wrapped client, or be a raw.Store itself. If a wrapper
// is neither, all calls use the SDK.
type Observer interface {
	// Observe is called before a call, and must not retain tables. The function it returns
	// is called once afterwards.
	Observe(ctx context.Context, operation string, tables ...string) func(error)
}

// findRaw returns the store within wrapped clients.
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

// Health returns the reason why the embedded store does not serve all calls, such as a full
// disk. It returns nil for remote stores.
func (db *DB) Health() error {
	if s, ok := db.raw.(interface{ Health() error }); ok {
		return s.Health()
	}
	return nil
}

// observe notifies all observers of a call and returns a function to notify them of its
// end.
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

// Together runs independent reads and returns the first error. They run concurrently if they
// wait for a server. With a [raw.Store], whose reads only take CPU, they run one after another,
// since goroutines would make a page of posts a twelfth more expensive.
func (db *DB) Together(ctx context.Context, reads ...together.Work) error {
	if db.raw == nil {
		return together.Do(ctx, reads...)
	}
	for _, read := range reads {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}
