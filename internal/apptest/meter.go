package apptest

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/trace"
)

// Consumed is what store calls consume.
type Consumed struct {
	Calls int
	// Trips are the round trips: calls that run concurrently share one.
	Trips int
	// Reads and Writes are units of capacity, by the rules of DynamoDB.
	Reads, Writes float64
}

// Meter is a client that adds up the capacity that calls consume. It separates calls of a
// request from those of the receivers of its events, and from those of no request.
//
// It hides that the store is in this process, so that each call is one that DynamoDB would be
// asked for. Each takes the same time on the clock of the test: calls with the same start are
// concurrent, and however the goroutines are scheduled, the numbers are the same.
type Meter struct {
	dynamodbiface.DynamoDBAPI
	// delivering reports whether a context is that of a receiver.
	delivering func(context.Context) bool

	mu     sync.Mutex
	totals map[part]*total
}

// part is a part of what follows from a request.
type part int

const (
	own    part = iota // the request itself
	effect             // receivers of its events
	upkeep             // no request
)

type total struct {
	Consumed
	last time.Time // the start of the last round trip
}

// trip is the time that a call takes.
const trip = time.Millisecond

// Metered is Test in a world with a Meter.
func Metered(t *testing.T, system host.System, f func(w *World), options ...Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := empty(t, system, options)
		w.Meter = &Meter{DynamoDBAPI: w.Client, delivering: func(ctx context.Context) bool { return w.Host != nil && w.Host.Outbox.Delivering(ctx) }}
		w.assemble(w.Meter, prometheus.NewRegistry(), nil)
		f(w)
	})
}

// Measure sends a query, which must succeed, and returns what it consumes itself and what its
// effects do: the receivers of its events, and the removal of the delivered events. The scan
// for events that are left is not part of it, as a process makes it however many there are.
func (w *World) Measure(as, query string) (itself, effects Consumed, a Answer) {
	w.T.Helper()
	itself = w.Requests(func() { a = w.Must(as, query) })
	w.Settle()
	effects = w.Meter.of(effect)
	effects.Writes += w.Meter.of(upkeep).Writes
	return itself, effects, a
}

// Requests calls f and returns what the requests that it sends consume themselves.
func (w *World) Requests(f func()) Consumed {
	w.T.Helper()
	w.Settle()
	w.Meter.reset()
	f()
	return w.Meter.of(own)
}

// MeasureAll is Measure for n requests at the same time, which f sends. It returns the sum of what
// they and their effects consume.
func (w *World) MeasureAll(n int, f func(i int)) (all Consumed) {
	w.T.Helper()
	w.Settle()
	w.Meter.reset()
	w.Together(n, f)
	w.Settle()
	for _, p := range []part{own, effect} {
		of := w.Meter.of(p)
		all.Calls += of.Calls
		all.Reads += of.Reads
		all.Writes += of.Writes
	}
	all.Writes += w.Meter.of(upkeep).Writes
	return all
}

func (m *Meter) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.totals = map[part]*total{}
}

func (m *Meter) of(p part) Consumed {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.totals[p]; t != nil {
		return t.Consumed
	}
	return Consumed{}
}

// begin returns the part that a call belongs to and its start, and lets it take its time.
func (m *Meter) begin(ctx context.Context) (p part, start time.Time) {
	switch {
	case m.delivering(ctx):
		p = effect
	case trace.RequestID(ctx) == "":
		p = upkeep
	}
	start = time.Now()
	time.Sleep(trip)
	return p, start
}

func (m *Meter) end(p part, start time.Time, reads, writes float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.totals == nil {
		m.totals = map[part]*total{}
	}
	t := m.totals[p]
	if t == nil {
		t = &total{}
		m.totals[p] = t
	}
	t.Calls++
	if !start.Before(t.last.Add(trip)) {
		t.Trips++
		t.last = start
	}
	t.Reads += reads
	t.Writes += writes
}

// measure executes a call. Units returns what its response says it has consumed.
func measure[In, Out any](
	m *Meter, ctx context.Context, in *In, options []func(*dynamodb.Options), writes bool,
	call func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), units func(*Out) float64,
) (*Out, error) {
	p, start := m.begin(ctx)
	out, err := call(ctx, in, options...)
	n := 0.0
	if err == nil {
		n = units(out)
	}
	if writes {
		m.end(p, start, 0, n)
	} else {
		m.end(p, start, n, 0)
	}
	return out, err
}

const wanted = types.ReturnConsumedCapacityTotal

func unitsOf(all ...types.ConsumedCapacity) float64 {
	n := 0.0
	for _, c := range all {
		n += *c.CapacityUnits
	}
	return n
}

func (m *Meter) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, false, m.DynamoDBAPI.GetItem, func(out *dynamodb.GetItemOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, false, m.DynamoDBAPI.Query, func(out *dynamodb.QueryOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, false, m.DynamoDBAPI.Scan, func(out *dynamodb.ScanOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, false, m.DynamoDBAPI.BatchGetItem, func(out *dynamodb.BatchGetItemOutput) float64 {
		return unitsOf(out.ConsumedCapacity...)
	})
}

func (m *Meter) TransactGetItems(
	ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, false, m.DynamoDBAPI.TransactGetItems, func(out *dynamodb.TransactGetItemsOutput) float64 {
		return unitsOf(out.ConsumedCapacity...)
	})
}

func (m *Meter) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, true, m.DynamoDBAPI.PutItem, func(out *dynamodb.PutItemOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, true, m.DynamoDBAPI.UpdateItem, func(out *dynamodb.UpdateItemOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, true, m.DynamoDBAPI.DeleteItem, func(out *dynamodb.DeleteItemOutput) float64 {
		return unitsOf(*out.ConsumedCapacity)
	})
}

func (m *Meter) BatchWriteItem(
	ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options),
) (*dynamodb.BatchWriteItemOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, true, m.DynamoDBAPI.BatchWriteItem, func(out *dynamodb.BatchWriteItemOutput) float64 {
		return unitsOf(out.ConsumedCapacity...)
	})
}

func (m *Meter) TransactWriteItems(
	ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	priced := *in
	priced.ReturnConsumedCapacity = wanted
	return measure(m, ctx, &priced, o, true, m.DynamoDBAPI.TransactWriteItems, func(out *dynamodb.TransactWriteItemsOutput) float64 {
		return unitsOf(out.ConsumedCapacity...)
	})
}
