package telemetry

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/intercept"
	"stoa/internal/kit/trace"
)

// severalTables is the table label of calls to more than one.
const severalTables = "several"

// Measure returns client with its data calls counted and timed, by table and operation, in
// registry, and counted in their contexts (see package trace). Calls that only manage
// tables are not measured. A registry can have one measured client.
func Measure(client dynamodbiface.DynamoDBAPI, registry prometheus.Registerer) dynamodbiface.DynamoDBAPI {
	m := &measured{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "stoa_store_call_seconds",
			Help:    "Time of store calls, by operation and table.",
			Buckets: []float64{.00002, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, 1},
		}, []string{"operation", "table"}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stoa_store_calls_total",
			Help: "Store calls, by operation, table and outcome (ok, condition, conflict, throttled, error).",
		}, []string{"operation", "table", "outcome"}),
		usual: map[labels]usual{},
	}
	m.Client = intercept.Client{DynamoDBAPI: client, Around: func(ctx context.Context, c intercept.Call) (any, error) {
		done := m.begin(ctx, c.Operation, label(intercept.Tables(c.In)))
		out, err := c.Run(c.In)
		done(err)
		return out, err
	}}
	m.underWay.New = func() any {
		c := &call{measured: m}
		c.ended = c.end
		return c
	}
	registry.MustRegister(m.seconds, m.calls)
	if s, ok := client.(stalling); ok {
		registry.MustRegister(stallsOf(s)...)
	}
	return m
}

// stalling is a store in this process whose writes wait while it falls behind.
type stalling interface {
	// Stalls returns how often writes have been stalled, and for how long altogether.
	Stalls() (n int64, total time.Duration)
}

func stallsOf(s stalling) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "stoa_store_write_stalls_total",
			Help: "How often all writes have waited because the embedded store had fallen behind.",
		}, func() float64 { n, _ := s.Stalls(); return float64(n) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "stoa_store_write_stall_seconds_total",
			Help: "How long all writes have waited because the embedded store had fallen behind.",
		}, func() float64 { _, total := s.Stalls(); return total.Seconds() }),
	}
}

type measured struct {
	intercept.Client
	seconds *prometheus.HistogramVec
	calls   *prometheus.CounterVec

	// underWay pools the memory of calls.
	underWay sync.Pool

	// usual caches the metrics of successful calls: looking them up by label takes longer
	// than reading an item from memory.
	mu    sync.RWMutex
	usual map[labels]usual
}

// labels are the labels of metrics.
type labels struct{ operation, table string }

type usual struct {
	seconds   prometheus.Observer
	succeeded prometheus.Counter
}

// begin counts a call. The function it returns must be called once with the call's outcome.
func (m *measured) begin(ctx context.Context, operation, table string) func(error) {
	of := trace.Begin(ctx)
	c := m.underWay.Get().(*call)
	c.labels, c.of, c.span, c.began = labels{operation, table}, of, span(ctx, operation, table), time.Now()
	return c.ended
}

// span returns the span of a call, or nil if nothing is traced.
func span(ctx context.Context, operation, table string) *trace.Span {
	_, s := trace.Start(ctx, trace.Called, operation, table)
	s.Set("db.system.name", "aws.dynamodb")
	s.Set("db.operation.name", operation)
	s.Set("db.collection.name", table)
	return s
}

// call is a call in progress.
type call struct {
	measured *measured
	labels   labels
	of       *trace.Calls // those among which it takes a turn
	span     *trace.Span
	began    time.Time
	// ended is the method value of end, created once.
	ended func(error)
}

// end measures the call, which is then reused.
func (c *call) end(err error) {
	c.of.End()
	if c.span != nil {
		if err != nil {
			c.span.Fail(outcomeOf(err))
		}
		c.span.End()
	}
	c.of, c.span = nil, nil
	c.measured.measure(c.labels, time.Since(c.began), err)
	c.measured.underWay.Put(c)
}

func (m *measured) measure(l labels, took time.Duration, err error) {
	if err != nil {
		m.seconds.WithLabelValues(l.operation, l.table).Observe(took.Seconds())
		m.calls.WithLabelValues(l.operation, l.table, outcomeOf(err)).Inc()
		return
	}
	u := m.usually(l)
	u.seconds.Observe(took.Seconds())
	u.succeeded.Inc()
}

func (m *measured) usually(l labels) usual {
	m.mu.RLock()
	u, known := m.usual[l]
	m.mu.RUnlock()
	if known {
		return u
	}
	u = usual{m.seconds.WithLabelValues(l.operation, l.table), m.calls.WithLabelValues(l.operation, l.table, succeeded)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usual[l] = u
	return u
}

// Unwrap and Observe let reads and writes bypass the measured client to an engine in this
// process, and still be measured.
func (m *measured) Unwrap() dynamodbiface.DynamoDBAPI { return m.DynamoDBAPI }

// Observe counts a call that bypasses the client as its equivalent operation.
func (m *measured) Observe(ctx context.Context, operation string, of ...string) func(error) {
	return m.begin(ctx, operation, label(of))
}

// succeeded is the outcome of a call without an error.
const succeeded = "ok"

// outcomeOf distinguishes expected errors from failures.
func outcomeOf(err error) string {
	var condition *types.ConditionalCheckFailedException
	var conflict *types.TransactionConflictException
	var cancelled *types.TransactionCanceledException
	var throughput *types.ProvisionedThroughputExceededException
	var limit *types.RequestLimitExceeded
	switch {
	case errors.As(err, &condition):
		return "condition"
	case errors.As(err, &conflict):
		return "conflict"
	case errors.As(err, &throughput), errors.As(err, &limit):
		return "throttled"
	case errors.As(err, &cancelled):
		for _, reason := range cancelled.CancellationReasons {
			if reason.Code != nil && *reason.Code == "ConditionalCheckFailed" {
				return "condition"
			}
		}
		return "conflict"
	}
	return "error"
}

// label returns the table label of a call.
func label(of []string) string {
	for _, table := range of {
		if table != of[0] {
			return severalTables
		}
	}
	return strings.Join(of[:min(1, len(of))], "")
}
