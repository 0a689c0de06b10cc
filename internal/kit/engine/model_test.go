package engine

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/expr"
	"stoa/internal/kit/engine/raw"
	"stoa/internal/kit/engine/value"
)

// The model is a naive engine: a map of items, with indexes computed on demand. Random
// histories run on both, and all results must agree.

type model struct {
	items map[string]Item
}

func modelKey(it Item) string {
	return it["pk"].(*types.AttributeValueMemberS).Value + "|" + it["sk"].(*types.AttributeValueMemberS).Value
}

// write is one write of a history: a conditional action on an item.
type write struct {
	action    raw.Action
	item      Item // the item for a put, otherwise the key
	update    string
	condition string
	values    Item
}

// apply executes writes atomically and reports which of them failed.
func (m *model) apply(t *testing.T, writes []write) (failed []bool) {
	after := maps.Clone(m.items)
	failed = make([]bool, len(writes))
	for i, w := range writes {
		request := &expr.Request{Values: w.values}
		if w.condition != "" {
			request.Condition = &w.condition
		}
		if w.update != "" {
			request.Update = &w.update
		}
		p, err := expr.Compile(request)
		if err != nil {
			t.Fatal(err)
		}
		k := modelKey(w.item)
		old := m.items[k]
		if !p.Condition(expr.Item(old)) {
			failed[i] = true
			continue
		}
		switch w.action {
		case raw.Put:
			after[k] = w.item
		case raw.Delete:
			delete(after, k)
		case raw.Update:
			if old == nil {
				old = w.item
			}
			if after[k], err = p.Update(old); err != nil {
				failed[i] = true
			}
		}
	}
	if !slices.Contains(failed, true) {
		m.items = after
	}
	return failed
}

// list returns the items that have all key attributes of x, ordered by sort key and then by
// primary key. keep may be nil.
func (m *model) list(hash, sort string, keep func(Item) bool) []Item {
	var all []Item
	for _, it := range m.items {
		if it[hash] != nil && (sort == "" || it[sort] != nil) && keep(it) {
			all = append(all, it)
		}
	}
	slices.SortFunc(all, func(a, b Item) int {
		for _, name := range []string{sort, "pk", "sk"} {
			if name == "" {
				continue
			}
			if order, _ := value.Compare(a[name], b[name]); order != 0 {
				return order
			}
		}
		return 0
	})
	return all
}

// history generates random requests.
type history struct {
	*rand.Rand
}

func (h history) key() Item {
	return key(fmt.Sprint("p", h.IntN(3)), fmt.Sprint("s", h.IntN(5)))
}

func (h history) item() Item {
	it := h.key()
	all := Item{
		"a1": s(fmt.Sprint("x", h.IntN(2))), "a1s": s(fmt.Sprint(h.IntN(4))),
		"a4": s("y"), "a4s": n(h.number()),
		"k1": s("z"), "i1": b("i"), "i1s": b(string([]byte{byte(h.IntN(256)), byte(h.IntN(2))})),
		"kept": s(fmt.Sprint("kept", h.IntN(3))), "n": n(h.IntN(10)), "l": &types.AttributeValueMemberL{Value: []types.AttributeValue{s("e")}},
	}
	for _, name := range slices.Sorted(maps.Keys(all)) { // sorted, so that histories are deterministic for a seed
		if h.IntN(3) > 0 {
			it[name] = all[name]
		}
	}
	return it
}

func (h history) number() string {
	return []string{"0", "-1", "1", "0.5", "-0.25", "10", "9", "1000000", "-1000000", "12345678901234567890"}[h.IntN(10)]
}

func (h history) write() write {
	w := write{item: h.key(), values: Item{}}
	switch h.IntN(6) {
	case 0, 1:
		w.action, w.item = raw.Put, h.item()
	case 2:
		w.action = raw.Delete
	default:
		w.action = raw.Update
		w.update = []string{
			"SET a1 = :x", "SET a1 = :x, a1s = :y REMOVE k1", "REMOVE a1", "ADD n :n", "SET a4 = :x, a4s = :n",
			"SET kept = :y", "SET l[3] = :n", "ADD kept :n", "SET n = n + :n", "REMOVE a4s, i1",
		}[h.IntN(10)]
	}
	if h.IntN(3) == 0 {
		w.condition = []string{
			"attribute_exists(pk)", "attribute_not_exists(pk)", "n < :c", "begins_with(a1, :c2)", "size(l) = :c",
		}[h.IntN(5)]
	}
	for name, v := range map[string]types.AttributeValue{
		":x": s(fmt.Sprint("x", h.IntN(2))), ":y": s(fmt.Sprint(h.IntN(4))), ":n": n(h.number()), ":c": n(h.IntN(4)), ":c2": s("x"),
	} {
		if usesValue(w.update, name) || usesValue(w.condition, name) {
			w.values[name] = v
		}
	}
	if len(w.values) == 0 {
		w.values = nil
	}
	return w
}

// usesValue reports whether name occurs in text as a whole word.
func usesValue(text, name string) bool {
	for i := 0; i+len(name) <= len(text); i++ {
		end := i + len(name)
		if text[i:end] == name && (end == len(text) || text[end] == ',' || text[end] == ' ' || text[end] == ')') {
			return true
		}
	}
	return false
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// single sends w as a separate request and reports whether it was refused.
func (w write) single(t *testing.T, e *Engine) bool {
	var err error
	table, condition := aws.String("things"), optional(w.condition)
	switch w.action {
	case raw.Put:
		_, err = e.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: w.item,
			ConditionExpression: condition, ExpressionAttributeValues: w.values})
	case raw.Delete:
		_, err = e.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: w.item,
			ConditionExpression: condition, ExpressionAttributeValues: w.values})
	case raw.Update:
		_, err = e.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: table, Key: w.item, UpdateExpression: &w.update,
			ConditionExpression: condition, ExpressionAttributeValues: w.values})
	}
	return wasRefused(t, err)
}

func wasRefused(t *testing.T, err error) bool {
	t.Helper()
	var failed *types.ConditionalCheckFailedException
	if err != nil && !errors.As(err, &failed) && !isValidation(err) {
		t.Fatal(err)
	}
	return err != nil
}

func (w write) transactItem() types.TransactWriteItem {
	table, condition := aws.String("things"), optional(w.condition)
	switch w.action {
	case raw.Put:
		return types.TransactWriteItem{Put: &types.Put{TableName: table, Item: w.item,
			ConditionExpression: condition, ExpressionAttributeValues: w.values}}
	case raw.Delete:
		return types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: w.item,
			ConditionExpression: condition, ExpressionAttributeValues: w.values}}
	}
	return types.TransactWriteItem{Update: &types.Update{TableName: table, Key: w.item, UpdateExpression: &w.update,
		ConditionExpression: condition, ExpressionAttributeValues: w.values}}
}

// transact sends writes as one transaction and reports which were refused.
func transact(t *testing.T, e *Engine, writes []write) []bool {
	t.Helper()
	in := &dynamodb.TransactWriteItemsInput{}
	for _, w := range writes {
		in.TransactItems = append(in.TransactItems, w.transactItem())
	}
	failed := make([]bool, len(writes))
	_, err := e.TransactWriteItems(ctx, in)
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for i, reason := range cancelled.CancellationReasons {
			failed[i] = *reason.Code != "None"
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return failed
}

func TestRandomHistories(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			e := withTable(t, WithItemCache([]int{0, 2 << 20, 8 << 20}[seed%3]))
			m := &model{items: map[string]Item{}}
			h := history{rand.New(rand.NewPCG(seed, 7))}
			for step := range 400 {
				if h.IntN(4) > 0 {
					w := h.write()
					if got, want := w.single(t, e), m.apply(t, []write{w})[0]; got != want {
						t.Fatalf("step %d: %+v refused: %v, want %v", step, w, got, want)
					}
				} else {
					writes := h.writes(1 + h.IntN(6))
					if got, want := transact(t, e, writes), m.apply(t, writes); !reflect.DeepEqual(got, want) {
						t.Fatalf("step %d: %+v refused: %v, want %v", step, writes, got, want)
					}
				}
				if step%20 == 0 {
					compareAll(t, e, m, h)
				}
			}
			compareAll(t, e, m, h)
			compareCounts(t, e, m)
		})
	}
}

// writes returns n writes to different items, or fewer if n are hard to find.
func (h history) writes(n int) []write {
	var all []write
	seen := map[string]bool{}
	for range n {
		w := h.write()
		if k := modelKey(w.item); !seen[k] {
			seen[k] = true
			all = append(all, w)
		}
	}
	return all
}

// compareAll compares all results of all kinds of reads.
func compareAll(t *testing.T, e *Engine, m *model, h history) {
	t.Helper()
	whole := func(it Item) Item { return it }
	only := func(names ...string) func(Item) Item {
		return func(it Item) Item {
			part := Item{}
			for _, name := range names {
				if it[name] != nil {
					part[name] = it[name]
				}
			}
			return part
		}
	}
	for _, x := range []struct {
		index, hash, sort string
		value             types.AttributeValue
		shown             func(Item) Item
	}{
		{"", "pk", "sk", s("p1"), whole},
		{"GSI-A1", "a1", "a1s", s("x1"), whole},
		{"GSI-A4", "a4", "a4s", s("y"), whole},
		{"GSI-K1", "k1", "", s("z"), only("pk", "sk", "k1")},
		{"GSI-I1", "i1", "i1s", b("i"), only("pk", "sk", "i1", "i1s", "kept")},
	} {
		var want []Item
		for _, it := range m.list(x.hash, x.sort, func(it Item) bool { return value.Equal(it[x.hash], x.value) }) {
			want = append(want, x.shown(it))
		}
		forward := h.IntN(2) == 0
		if !forward {
			slices.Reverse(want)
		}
		got := queryAll(t, e, &dynamodb.QueryInput{
			TableName: aws.String("things"), IndexName: optional(x.index), Limit: aws.Int32(int32(1 + h.IntN(5))),
			KeyConditionExpression:    aws.String(x.hash + " = :v"),
			ExpressionAttributeValues: Item{":v": x.value}, ScanIndexForward: &forward,
		})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("query of %q:\ngot  %v\nwant %v", x.index, show(got), show(want))
		}
		all := map[string]Item{}
		for _, it := range m.list(x.hash, x.sort, func(Item) bool { return true }) {
			all[modelKey(it)] = x.shown(it)
		}
		if got := scanAll(t, e, x.index, 1+h.IntN(3)); !reflect.DeepEqual(got, all) {
			t.Fatalf("scan of %q:\ngot  %v\nwant %v", x.index, got, all)
		}
	}
}

func compareCounts(t *testing.T, e *Engine, m *model) {
	t.Helper()
	out, err := e.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("things")})
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, it := range m.items {
		size += value.ItemSize(it)
	}
	if *out.Table.ItemCount != int64(len(m.items)) || *out.Table.TableSizeBytes != int64(size) {
		t.Errorf("table counts %d items, %d bytes; want %d, %d", *out.Table.ItemCount, *out.Table.TableSizeBytes, len(m.items), size)
	}
	for _, x := range out.Table.GlobalSecondaryIndexes {
		want := len(scanAll(t, e, *x.IndexName, 1))
		if *x.ItemCount != int64(want) {
			t.Errorf("%s counts %d items, want %d", *x.IndexName, *x.ItemCount, want)
		}
	}
}

// queryAll reads all pages of a query.
func queryAll(t testing.TB, e *Engine, in *dynamodb.QueryInput) []Item {
	t.Helper()
	var all []Item
	for {
		out, err := e.Query(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Items...)
		if out.LastEvaluatedKey == nil {
			return all
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// scanAll returns the items of all pages of all segments, by key. Duplicates fail the test.
func scanAll(t testing.TB, e *Engine, index string, segments int) map[string]Item {
	t.Helper()
	all := map[string]Item{}
	for segment := range segments {
		in := &dynamodb.ScanInput{TableName: aws.String("things"), IndexName: optional(index), Limit: aws.Int32(4),
			Segment: aws.Int32(int32(segment)), TotalSegments: aws.Int32(int32(segments))}
		for {
			out, err := e.Scan(ctx, in)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range out.Items {
				if all[modelKey(it)] != nil {
					t.Fatalf("scan of %q gives %v twice", index, it)
				}
				all[modelKey(it)] = it
			}
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
	}
	return all
}

func show(items []Item) string {
	text := ""
	for _, it := range items {
		text += modelKey(it) + " "
	}
	return text
}
