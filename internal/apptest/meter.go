package apptest

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/intercept"
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
	intercept.Client
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
		w.Meter = &Meter{delivering: func(ctx context.Context) bool { return w.Host != nil && w.Host.Outbox.Delivering(ctx) }}
		w.Meter.Client = intercept.Client{DynamoDBAPI: w.Client, Around: w.Meter.measure}
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

// measure executes a call, and adds up what its response says it has consumed.
func (m *Meter) measure(ctx context.Context, c intercept.Call) (any, error) {
	p, start := m.begin(ctx)
	priced := reflect.New(reflect.TypeOf(c.In).Elem())
	priced.Elem().Set(reflect.ValueOf(c.In).Elem())
	priced.Elem().FieldByName("ReturnConsumedCapacity").Set(reflect.ValueOf(types.ReturnConsumedCapacityTotal))
	out, err := c.Run(priced.Interface())
	units := 0.0
	if err == nil {
		units = unitsOf(reflect.ValueOf(out).Elem().FieldByName("ConsumedCapacity").Interface())
	}
	switch c.Operation {
	case "GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems":
		m.end(p, start, units, 0)
	default:
		m.end(p, start, 0, units)
	}
	return out, err
}

func unitsOf(consumed any) (n float64) {
	if one, ok := consumed.(*types.ConsumedCapacity); ok {
		return *one.CapacityUnits
	}
	for _, c := range consumed.([]types.ConsumedCapacity) {
		n += *c.CapacityUnits
	}
	return n
}
