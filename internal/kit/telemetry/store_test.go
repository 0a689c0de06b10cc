package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2/dynamodbiface"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/telemetry"
	"stoa/internal/kit/trace"
)

// answering is a client whose data calls all return err.
type answering struct {
	dynamodbiface.DynamoDBAPI
	err error
}

func (a answering) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return &dynamodb.GetItemOutput{}, a.err
}
func (a answering) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return &dynamodb.PutItemOutput{}, a.err
}
func (a answering) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return &dynamodb.UpdateItemOutput{}, a.err
}
func (a answering) DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return &dynamodb.DeleteItemOutput{}, a.err
}
func (a answering) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return &dynamodb.QueryOutput{}, a.err
}
func (a answering) Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return &dynamodb.ScanOutput{}, a.err
}
func (a answering) BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return &dynamodb.BatchGetItemOutput{}, a.err
}
func (a answering) BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return &dynamodb.BatchWriteItemOutput{}, a.err
}
func (a answering) TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	return &dynamodb.TransactGetItemsOutput{}, a.err
}
func (a answering) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return &dynamodb.TransactWriteItemsOutput{}, a.err
}
func (a answering) DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	return &dynamodb.DescribeTableOutput{}, a.err
}

var main, feed = aws.String("main"), aws.String("feed")

// calls makes each call once; the key is the series that must count it.
var calls = map[string]func(context.Context, dynamodbiface.DynamoDBAPI) error{
	`operation="GetItem",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: main})
		return err
	},
	`operation="PutItem",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: main})
		return err
	},
	`operation="UpdateItem",table="feed"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: feed})
		return err
	},
	`operation="DeleteItem",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: main})
		return err
	},
	`operation="Query",table="feed"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.Query(ctx, &dynamodb.QueryInput{TableName: feed})
		return err
	},
	`operation="Scan",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: main})
		return err
	},
	`operation="BatchGetItem",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"main": {}}})
		return err
	},
	`operation="BatchWriteItem",table="several"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"main": nil, "feed": nil}})
		return err
	},
	`operation="TransactGetItems",table="main"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: main}}, {Get: &types.Get{TableName: main}}}})
		return err
	},
	`operation="TransactWriteItems",table="several"`: func(ctx context.Context, c dynamodbiface.DynamoDBAPI) error {
		_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: main}}, {Update: &types.Update{TableName: main}}, {Delete: &types.Delete{TableName: feed}}, {ConditionCheck: &types.ConditionCheck{TableName: main}},
		}})
		return err
	},
}

func TestMeasureCountsEachCall(t *testing.T) {
	registry := prometheus.NewRegistry()
	client := telemetry.Measure(answering{}, registry)
	ctx, counted := trace.CountCalls(t.Context(), 1<<20)
	for _, make := range calls {
		if err := make(ctx, client); err != nil {
			t.Error(err)
		}
	}
	if _, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{}); err != nil {
		t.Error(err)
	}
	if counted.Count() != int64(len(calls)) {
		t.Errorf("%d calls counted in the context, want %d", counted.Count(), len(calls))
	}
	counts, times := series(t, registry, "stoa_store_calls_total"), series(t, registry, "stoa_store_call_seconds")
	if len(counts) != len(calls) || len(times) != len(calls) {
		t.Errorf("%d series of calls and %d of seconds, want %d", len(counts), len(times), len(calls))
	}
	for labels := range calls {
		if counts[strings.Replace(labels, ",table", `,outcome="ok",table`, 1)] != 1 || times[labels] != 1 {
			t.Errorf("%s is not counted once: %v, %v", labels, counts, times)
		}
	}
}

func TestReadsPastTheClientAreCountedToo(t *testing.T) {
	registry := prometheus.NewRegistry()
	within := answering{}
	client := telemetry.Measure(within, registry).(interface {
		Unwrap() dynamodbiface.DynamoDBAPI
		Observe(ctx context.Context, operation string, tables ...string) func(error)
	})
	if client.Unwrap() != dynamodbiface.DynamoDBAPI(within) {
		t.Error("the client within is another one")
	}
	ctx, counted := trace.CountCalls(t.Context(), 1<<20)
	client.Observe(ctx, "GetItem", "main")(nil)
	client.Observe(ctx, "BatchGetItem", "main", "feed")(errors.New("broken"))
	if counted.Count() != 2 {
		t.Errorf("%d calls counted in the context, want 2", counted.Count())
	}
	counts := series(t, registry, "stoa_store_calls_total")
	for _, labels := range []string{`operation="GetItem",outcome="ok",table="main"`, `operation="BatchGetItem",outcome="error",table="several"`} {
		if counts[labels] != 1 {
			t.Errorf("%s is not counted once: %v", labels, counts)
		}
	}
}

// series returns the values of a metric, or its numbers of observations, by label.
func series(t *testing.T, registry *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			var labels []string
			for _, label := range metric.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", label.GetName(), label.GetValue()))
			}
			values[strings.Join(labels, ",")] = metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return values
}

func TestMeasureTellsOutcomesApart(t *testing.T) {
	cancelled := func(code string) error {
		return &types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {}, {Code: aws.String(code)}}}
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, "ok"},
		{&types.ConditionalCheckFailedException{}, "condition"},
		{cancelled("ConditionalCheckFailed"), "condition"},
		{cancelled("TransactionConflict"), "conflict"},
		{&types.TransactionConflictException{}, "conflict"},
		{&types.ProvisionedThroughputExceededException{}, "throttled"},
		{&types.RequestLimitExceeded{}, "throttled"},
		{errors.New("connection reset"), "error"},
	} {
		registry := prometheus.NewRegistry()
		client := telemetry.Measure(answering{err: test.err}, registry)
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: main})
		if err != test.err {
			t.Errorf("the caller got %v instead of %v", err, test.err)
		}
		got := series(t, registry, "stoa_store_calls_total")
		if len(got) != 1 || got[`operation="PutItem",outcome="`+test.want+`",table="main"`] != 1 {
			t.Errorf("%v counted as %v, want %s", test.err, got, test.want)
		}
	}
}

type stalled struct{ answering }

func (stalled) Stalls() (int64, time.Duration) { return 3, 1500 * time.Millisecond }

func TestStallsAreCounted(t *testing.T) {
	registry := prometheus.NewRegistry()
	telemetry.Measure(stalled{}, registry)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		got[f.GetName()] = f.GetMetric()[0].GetCounter().GetValue()
	}
	if got["stoa_store_write_stalls_total"] != 3 || got["stoa_store_write_stall_seconds_total"] != 1.5 {
		t.Errorf("the metrics are %v", got)
	}
}
