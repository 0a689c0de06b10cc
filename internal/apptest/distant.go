package apptest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/intercept"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/telemetry"
)

// Distant is a client of a store at a distance: each call takes its time, and as in DynamoDB a
// transaction is canceled if another one on the same item is under way.
type Distant struct {
	intercept.Client
	latency atomic.Int64
	// Transactions and Canceled are the number of transactions, and of those that were canceled.
	Transactions, Canceled atomic.Int64

	mu   sync.Mutex
	busy map[string]bool
}

// BenchDistant is Bench on a store at a distance, which is zero until SetLatency is called.
func BenchDistant(b *testing.B, system host.System, options ...Option) (*World, *Distant) {
	b.Helper()
	d := &Distant{busy: map[string]bool{}}
	d.Client = intercept.Client{DynamoDBAPI: enginetest.Memory(b), Around: d.around}
	w := &World{
		T: b, system: system, options: options, People: People{&people{}}, events: map[string]int{}, tokens: map[string]string{},
		random: newRandom(), passing: new(passing),
	}
	registry := prometheus.NewRegistry()
	w.assemble(telemetry.Measure(d, registry), registry, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	return w, d
}

// SetLatency sets how long calls take.
func (d *Distant) SetLatency(l time.Duration) { d.latency.Store(int64(l)) }

func (d *Distant) travel() { time.Sleep(time.Duration(d.latency.Load())) }

func (d *Distant) around(_ context.Context, c intercept.Call) (any, error) {
	in, transaction := c.In.(*dynamodb.TransactWriteItemsInput)
	if !transaction {
		d.travel()
		return c.Run(c.In)
	}
	d.Transactions.Add(1)
	items := slice.Map(in.TransactItems, itemOf)
	if conflicts := d.enter(items); conflicts != nil {
		d.Canceled.Add(1)
		d.travel()
		return nil, &types.TransactionCanceledException{CancellationReasons: conflicts}
	}
	defer d.leave(items)
	d.travel()
	return c.Run(c.In)
}

func itemOf(a types.TransactWriteItem) string {
	switch {
	case a.Update != nil:
		return fmt.Sprint(*a.Update.TableName, keyText(a.Update.Key))
	case a.Delete != nil:
		return fmt.Sprint(*a.Delete.TableName, keyText(a.Delete.Key))
	case a.ConditionCheck != nil:
		return fmt.Sprint(*a.ConditionCheck.TableName, keyText(a.ConditionCheck.Key))
	default:
		return fmt.Sprint(*a.Put.TableName, keyText(a.Put.Item))
	}
}

func keyText(m map[string]types.AttributeValue) (text string) {
	for _, name := range []string{"partitionKey", "sortKey", "postId", "feedUserId"} {
		if s, ok := m[name].(*types.AttributeValueMemberS); ok && (m["partitionKey"] == nil) == (name == "postId" || name == "feedUserId") {
			text += " " + s.Value
		}
	}
	return text
}

// enter claims items for a transaction, or returns the reasons why it is canceled.
func (d *Distant) enter(items []string) (conflicts []types.CancellationReason) {
	d.mu.Lock()
	defer d.mu.Unlock()
	reasons := make([]types.CancellationReason, len(items))
	for i, item := range items {
		reasons[i].Code = aws.String("None")
		if d.busy[item] {
			reasons[i].Code = aws.String("TransactionConflict")
			conflicts = reasons
		}
	}
	if conflicts == nil {
		for _, item := range items {
			d.busy[item] = true
		}
	}
	return conflicts
}

func (d *Distant) leave(items []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, item := range items {
		delete(d.busy, item)
	}
}
