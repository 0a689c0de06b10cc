package telemetry

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/trace"
)

// severalTables is the table label of calls to more than one.
const severalTables = "several"

// Measure returns client with its data calls counted and timed, by table and operation, in
// registry, and counted in their contexts (see package trace). Calls that only manage
// tables are not measured. A registry can have one measured client.
func Measure(client dynamodbiface.DynamoDBAPI, registry prometheus.Registerer) dynamodbiface.DynamoDBAPI {
	m := &measured{
		DynamoDBAPI: client,
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
	dynamodbiface.DynamoDBAPI
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

type options = func(*dynamodb.Options)

func measure[In, Out any](
	m *measured, ctx context.Context, operation, table string, in *In, opts []options,
	call func(context.Context, *In, ...options) (*Out, error),
) (*Out, error) {
	done := m.begin(ctx, operation, table)
	out, err := call(ctx, in, opts...)
	done(err)
	return out, err
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
	var t tables
	for _, table := range of {
		t.add(&table)
	}
	return m.begin(ctx, operation, t.label)
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

func (m *measured) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...options) (*dynamodb.GetItemOutput, error) {
	return measure(m, ctx, "GetItem", name(in.TableName), in, opts, m.DynamoDBAPI.GetItem)
}

func (m *measured) PutItem(ctx context.Context, in *dynamodb.PutItemInput, opts ...options) (*dynamodb.PutItemOutput, error) {
	return measure(m, ctx, "PutItem", name(in.TableName), in, opts, m.DynamoDBAPI.PutItem)
}

func (m *measured) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...options) (*dynamodb.UpdateItemOutput, error) {
	return measure(m, ctx, "UpdateItem", name(in.TableName), in, opts, m.DynamoDBAPI.UpdateItem)
}

func (m *measured) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, opts ...options) (*dynamodb.DeleteItemOutput, error) {
	return measure(m, ctx, "DeleteItem", name(in.TableName), in, opts, m.DynamoDBAPI.DeleteItem)
}

func (m *measured) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...options) (*dynamodb.QueryOutput, error) {
	return measure(m, ctx, "Query", name(in.TableName), in, opts, m.DynamoDBAPI.Query)
}

func (m *measured) Scan(ctx context.Context, in *dynamodb.ScanInput, opts ...options) (*dynamodb.ScanOutput, error) {
	return measure(m, ctx, "Scan", name(in.TableName), in, opts, m.DynamoDBAPI.Scan)
}

func (m *measured) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...options) (*dynamodb.BatchGetItemOutput, error) {
	return measure(m, ctx, "BatchGetItem", only(in.RequestItems), in, opts, m.DynamoDBAPI.BatchGetItem)
}

func (m *measured) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, opts ...options) (*dynamodb.BatchWriteItemOutput, error) {
	return measure(m, ctx, "BatchWriteItem", only(in.RequestItems), in, opts, m.DynamoDBAPI.BatchWriteItem)
}

func (m *measured) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, opts ...options) (*dynamodb.TransactGetItemsOutput, error) {
	var t tables
	for _, item := range in.TransactItems {
		if item.Get != nil {
			t.add(item.Get.TableName)
		}
	}
	return measure(m, ctx, "TransactGetItems", t.label, in, opts, m.DynamoDBAPI.TransactGetItems)
}

func (m *measured) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...options) (*dynamodb.TransactWriteItemsOutput, error) {
	var t tables
	for _, item := range in.TransactItems {
		switch {
		case item.Put != nil:
			t.add(item.Put.TableName)
		case item.Update != nil:
			t.add(item.Update.TableName)
		case item.Delete != nil:
			t.add(item.Delete.TableName)
		case item.ConditionCheck != nil:
			t.add(item.ConditionCheck.TableName)
		}
	}
	return measure(m, ctx, "TransactWriteItems", t.label, in, opts, m.DynamoDBAPI.TransactWriteItems)
}

// tables determines the label of a call that may concern several tables.
type tables struct{ label string }

func (t *tables) add(table *string) {
	if n := name(table); t.label == "" {
		t.label = n
	} else if t.label != n {
		t.label = severalTables
	}
}

func only[V any](byTable map[string]V) string {
	if len(byTable) != 1 {
		return severalTables
	}
	for table := range byTable {
		return table
	}
	return ""
}

func name(table *string) string {
	if table == nil {
		return ""
	}
	return *table
}
