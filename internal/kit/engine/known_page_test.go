package engine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// rangeOf returns the items of r.
func rangeOf(t testing.TB, e *Engine, r raw.Range) (items []Item, more bool) {
	t.Helper()
	more, err := e.ReadRange(ctx, r, func(v raw.Item) error {
		it, err := v.Item()
		items = append(items, it)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return items, more
}

// isKnown reports whether the cache has the beginning of r.
func isKnown(t testing.TB, e *Engine, r raw.Range) bool {
	t.Helper()
	tb := (*e.tables.Load())["things"]
	rel := &tb.relation
	if r.Index != "" {
		x, err := tb.index(r.Index)
		if err != nil {
			t.Fatal(err)
		}
		rel = &x.relation
	}
	s, err := rel.rangeSpan(r)
	if err != nil {
		t.Fatal(err)
	}
	_, known := e.known(s, r.Limit)
	return known
}

// The items that a range begins with are those that a query finds, whether they are known or
// read, and whatever was written before: small items, of which indexes have copies, and
// large ones, to which they refer.
func TestKnownPagesInRandomHistories(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			e := withTable(t)
			h := history{rand.New(rand.NewPCG(seed, 11))}
			known := 0
			for range 1500 {
				switch h.IntN(8) {
				case 0:
					w := h.write()
					if w.action == raw.Put && h.IntN(2) == 0 {
						w.item["text"] = s(long(maxCopy))
					}
					w.single(t, e)
				case 1:
					transact(t, e, h.writes(1+h.IntN(4)))
				}
				r := raw.Range{Table: "things", Backward: h.IntN(2) == 0, Limit: h.IntN(5)}
				in := &dynamodb.QueryInput{TableName: aws.String("things"), ScanIndexForward: aws.Bool(!r.Backward)}
				hash := ""
				switch h.IntN(4) {
				case 0:
					r.Hash, hash = fmt.Sprint("p", h.IntN(3)), "pk"
				case 1:
					r.Index, r.Hash, hash = "GSI-A1", fmt.Sprint("x", h.IntN(2)), "a1"
				case 2:
					r.Index, r.Hash, hash = "GSI-A4", "y", "a4"
				default:
					r.Index, r.Hash, hash = "GSI-K1", "z", "k1"
				}
				condition, values := hash+" = :h", Item{":h": s(r.Hash)}
				if hash == "pk" && h.IntN(3) == 0 {
					r.Low = fmt.Sprint("s", h.IntN(5))
					condition, values[":low"] = condition+" AND sk >= :low", s(r.Low)
				}
				in.IndexName, in.KeyConditionExpression, in.ExpressionAttributeValues = optional(r.Index), &condition, values
				if r.Limit > 0 {
					in.Limit = aws.Int32(int32(r.Limit))
				}
				want, err := e.Query(ctx, in)
				if err != nil {
					t.Fatal(err)
				}
				if isKnown(t, e, r) {
					known++
				}
				got, more := rangeOf(t, e, r)
				if len(got)+len(want.Items) > 0 && !reflect.DeepEqual(got, want.Items) || more != (want.LastEvaluatedKey != nil) {
					t.Fatalf("%+v is\n%v, more: %v; want\n%v", r, show(got), more, show(want.Items))
				}
			}
			if known < 300 {
				t.Errorf("only %d of 1500 pages were known", known)
			}
		})
	}
}

// A page is known until something in its partition changes, also for smaller limits, but
// not one that continues another.
func TestWhichPagesAreKnown(t *testing.T) {
	e := withTable(t)
	for i := range 9 {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "a1", "x", "a1s", fmt.Sprint(9-i), "text", long(i*maxCopy)))
	}
	table := raw.Range{Table: "things", Hash: "p", Limit: 4}
	index := raw.Range{Table: "things", Hash: "x", Limit: 4, Index: "GSI-A1"}
	learn := func() {
		rangeOf(t, e, table)
		rangeOf(t, e, index)
	}
	limit := func(r raw.Range, limit int) raw.Range { r.Limit = limit; return r }
	want := func(when string, r raw.Range, want bool) {
		t.Helper()
		if got := isKnown(t, e, r); got != want {
			t.Errorf("%s: %+v is known: %v, want %v", when, r, got, want)
		}
	}
	want("at first", table, false)
	learn()
	want("read", table, true)
	want("read", index, true)
	want("read", limit(table, 3), true)
	want("read", limit(table, 5), false)
	want("read", limit(table, 0), false)
	want("read", raw.Range{Table: "things", Hash: "p", Limit: 4, Backward: true}, false)
	want("read", raw.Range{Table: "things", Hash: "p", Limit: 4, Low: "1"}, false)
	next := table
	next.After = &raw.Position{Sort: "3"}
	if got, _ := rangeOf(t, e, next); len(got) != 4 || textOf(got[0]["sk"]) != "4" {
		t.Errorf("after 3 there is %v", show(got))
	}
	want("the next page read", table, true)
	rangeOf(t, e, limit(table, 0))
	for _, n := range []int{0, 1, 9, 10} {
		want("read to its end", limit(table, n), true)
	}
	for name, w := range map[string]raw.Write{
		"an update":         {Action: raw.Update, Key: raw.Key{Hash: "p", Sort: "7"}, Fields: []raw.Field{{Name: "n", Kind: raw.Number, Text: "1"}}},
		"an update (small)": {Action: raw.Update, Key: raw.Key{Hash: "p", Sort: "0"}, Fields: []raw.Field{{Name: "n", Kind: raw.Number, Text: "1"}}},
		"a put":             {Action: raw.Put, Fields: fieldsOf(item("pk", "p", "sk", "11", "a1", "x", "a1s", "11"))},
		"a deletion":        {Action: raw.Delete, Key: raw.Key{Hash: "p", Sort: "8"}},
	} {
		learn()
		w.Table = "things"
		if err := e.WriteOne(ctx, w); err != nil {
			t.Fatal(err)
		}
		want(name, table, false)
		want(name, index, false)
	}
	learn()
	put(t, e, item("pk", "another", "sk", "1", "a1", "another"))
	want("another partition changed", table, true)
	want("another partition changed", index, true)
	put(t, e, item("pk", "p", "sk", "12"))
	want("an item without an entry", table, false)
	want("an item without an entry", index, true)
	put(t, e, item("pk", "p", "sk", "13", "text", long(maxKnownPage)))
	rangeOf(t, e, limit(table, 0))
	want("too large", limit(table, 0), false)
}

// numberOf returns the n of an item.
func numberOf(it Item) int {
	n, err := strconv.Atoi(it["n"].(*types.AttributeValueMemberN).Value)
	if err != nil {
		panic(err)
	}
	return n
}

// Readers of a range see all items of a transaction or none, and nothing older than
// what was read of one of them before.
func TestKnownPagesAmidWrites(t *testing.T) {
	const items, writes = 4, 3000
	e := withTable(t)
	set := func(n int) {
		var all []raw.Write
		for i := range items {
			// Two of the items are small, and two are large.
			all = append(all, raw.Write{Action: raw.Put, Table: "things", Fields: fieldsOf(item(
				"pk", "p", "sk", fmt.Sprint(i), "n", n, "a1", "x", "a1s", fmt.Sprint(i), "a4", "y", "a4s", (i+n)%items, "text", long(i/2*maxCopy)))})
		}
		if err := e.WriteAll(ctx, all); err != nil {
			t.Error(err)
		}
	}
	set(0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range writes {
			set(n + 1)
		}
	})
	for reader := range 3 {
		r := []raw.Range{{Hash: "p"}, {Index: "GSI-A1", Hash: "x"}, {Index: "GSI-A4", Hash: "y"}}[reader]
		r.Table = "things"
		wg.Go(func() {
			for before := 0; before < writes && !t.Failed(); {
				before = numberOf(get(t, e, key("p", fmt.Sprint(items-1))))
				all, _ := rangeOf(t, e, r)
				first := 0
				for i, it := range all {
					n := numberOf(it)
					if i == 0 {
						first = n
					}
					if n != first || n < before {
						t.Errorf("%+v: item %d has %d, the first %d, after %d was read", r, i, n, first, before)
					}
				}
				if len(all) != items {
					t.Errorf("%+v has %d items", r, len(all))
				}
			}
		})
	}
	wg.Wait()
}
