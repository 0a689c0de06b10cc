package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Clients use three accounts concurrently. Porcupine then looks for an order of all
// requests, each between its start and its end, in which a single-threaded bank would have
// returned the same results.

type bank [3]int

type bankInput struct {
	op       string // read, readAll, list, swap, move
	from, to int
	old, new int
}

type bankOutput struct {
	value  int
	values bank
	ok     bool
}

var bankModel = porcupine.Model{
	Init: func() any { return bank{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(bank), input.(bankInput), output.(bankOutput)
		switch in.op {
		case "read":
			return out.value == s[in.from], s
		case "readAll", "list":
			return out.values == s, s
		case "swap":
			if out.ok != (s[in.from] == in.old) {
				return false, s
			}
			if out.ok {
				s[in.from] = in.new
			}
			return true, s
		}
		if out.ok != (s[in.from] > 0) {
			return false, s
		}
		if out.ok {
			s[in.from]--
			s[in.to]++
		}
		return true, s
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v → %+v", input, output) },
}

func account(i int) Item { return key("bank", fmt.Sprint(i)) }

func TestLinearizability(t *testing.T) {
	for name, size := range map[string]int{"without cache": 0, "with cache": 4 << 20} {
		t.Run(name, func(t *testing.T) { testLinearizability(t, withTable(t, WithItemCache(size))) })
	}
}

func testLinearizability(t *testing.T, e *Engine) {
	const clients, requests = 6, 120
	for i := range len(bank{}) {
		put(t, e, item("pk", "bank", "sk", fmt.Sprint(i), "n", 0, "a1", "all", "a1s", fmt.Sprint(i)))
	}
	start := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var all sync.WaitGroup
	for client := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(client), 3))
			known := bank{} // the last known balances, which make swaps likely to succeed
			for range requests {
				in := bankInput{op: []string{"read", "readAll", "list", "swap", "swap", "move", "move"}[random.IntN(7)],
					from: random.IntN(3), new: random.IntN(4)}
				in.to, in.old = (in.from+1)%3, known[in.from]
				call := time.Since(start).Nanoseconds()
				out := bankRequest(t, e, in)
				done := time.Since(start).Nanoseconds()
				switch in.op {
				case "read":
					known[in.from] = out.value
				case "readAll", "list":
					known = out.values
				}
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: in, Call: call, Output: out, Return: done})
			}
		})
	}
	all.Wait()
	var history []porcupine.Operation
	for _, h := range histories {
		history = append(history, h...)
	}
	switch porcupine.CheckOperationsTimeout(bankModel, history, 30*time.Second) {
	case porcupine.Illegal:
		t.Errorf("no order of the %d requests explains the answers", len(history))
	case porcupine.Unknown:
		t.Error("found no order in time")
	}
}

func bankRequest(t *testing.T, e *Engine, in bankInput) (out bankOutput) {
	things := aws.String("things")
	var err error
	switch in.op {
	case "read":
		var got *dynamodb.GetItemOutput
		if got, err = e.GetItem(ctx, &dynamodb.GetItemInput{TableName: things, Key: account(in.from)}); err == nil {
			out.value = number(t, got.Item, "n")
		}
	case "readAll":
		get := &dynamodb.TransactGetItemsInput{}
		for i := range len(bank{}) {
			get.TransactItems = append(get.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: things, Key: account(i)}})
		}
		var got *dynamodb.TransactGetItemsOutput
		if got, err = e.TransactGetItems(ctx, get); err == nil {
			for i, r := range got.Responses {
				out.values[i] = number(t, r.Item, "n")
			}
		}
	case "list":
		var got *dynamodb.QueryOutput
		if got, err = e.Query(ctx, &dynamodb.QueryInput{TableName: things, IndexName: aws.String("GSI-A1"),
			KeyConditionExpression: aws.String("a1 = :all"), ExpressionAttributeValues: item(":all", "all")}); err == nil {
			for i, it := range got.Items {
				out.values[i] = number(t, it, "n")
			}
		}
	case "swap":
		_, err = e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: things, Key: account(in.from),
			UpdateExpression: aws.String("SET n = :new"), ConditionExpression: aws.String("n = :old"),
			ExpressionAttributeValues: item(":new", in.new, ":old", in.old)})
		out.ok = err == nil
	case "move":
		_, err = e.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			transactUpdate(account(in.from), "SET n = n - :one", "n > :zero", item(":one", 1, ":zero", 0)),
			transactUpdate(account(in.to), "SET n = n + :one", "", item(":one", 1)),
		}})
		out.ok = err == nil
	}
	var failed *types.ConditionalCheckFailedException
	var cancelled *types.TransactionCanceledException
	if err != nil && !errors.As(err, &failed) && !errors.As(err, &cancelled) {
		t.Error(err)
	}
	return out
}
