package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// Raw writes and requests can express the same actions. twin is one action in both forms.
type twin struct {
	raw     raw.Write
	request types.TransactWriteItem
}

func fieldsOf(it Item) []raw.Field {
	var fields []raw.Field
	for _, name := range slices.Sorted(maps.Keys(it)) {
		f := raw.Field{Name: name}
		switch v := it[name].(type) {
		case nil:
		case *types.AttributeValueMemberS:
			f.Kind, f.Text = raw.Text, v.Value
		case *types.AttributeValueMemberN:
			f.Kind, f.Text = raw.Number, v.Value
		case *types.AttributeValueMemberBOOL:
			if f.Kind = raw.False; v.Value {
				f.Kind = raw.True
			}
		default:
			f.Kind, f.Value = raw.Other, v
		}
		fields = append(fields, f)
	}
	return fields
}

// newTwin returns an action on the item with the given key, in both forms: for a put,
// attributes are the whole item; for an update, they are set, or removed if nil.
func newTwin(kind raw.Action, key, attributes Item, shifts []raw.Shift, exists, absent bool, conditions ...raw.Condition) twin {
	t := twin{raw: raw.Write{Action: kind, Table: "things", Exists: exists, Absent: absent, Conditions: conditions,
		Fields: fieldsOf(attributes), Shifts: shifts}}
	if kind != raw.Put {
		t.raw.Key = raw.Key{Hash: textOf(key["pk"]), Sort: textOf(key["sk"])}
	}
	names, values := map[string]string{}, Item{}
	var tests []string
	if exists || kind == raw.Update {
		tests = append(tests, "attribute_exists(pk)")
	}
	if absent {
		tests = append(tests, "attribute_not_exists(pk)")
	}
	for i, c := range conditions {
		text := strings.ReplaceAll(c.Text, ":", fmt.Sprintf(":c%d_", i))
		for j, v := range c.Values {
			values[fmt.Sprintf(":c%d_%d", i, j)] = v
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,().", r) }) {
			if word[0] == '#' {
				names[word] = word[1:]
			}
		}
		tests = append(tests, "("+text+")")
	}
	var sets, removes, adds []string
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if kind != raw.Update {
			break
		}
		names["#"+name] = name
		if attributes[name] == nil {
			removes = append(removes, "#"+name)
			continue
		}
		values[":"+name] = attributes[name]
		sets = append(sets, "#"+name+" = :"+name)
	}
	for _, s := range shifts {
		names["#"+s.Name], values[":"+s.Name] = s.Name, n(s.By)
		adds = append(adds, "#"+s.Name+" :"+s.Name)
		if s.By < 0 {
			values[":floor"+s.Name] = n(-s.By)
			tests = append(tests, "#"+s.Name+" >= :floor"+s.Name)
		}
	}
	var update string
	for word, parts := range map[string][]string{"SET": sets, "REMOVE": removes, "ADD": adds} {
		if len(parts) > 0 {
			update += " " + word + " " + strings.Join(parts, ", ")
		}
	}
	if len(names) == 0 {
		names = nil
	}
	if len(values) == 0 {
		values = nil
	}
	things, condition, old := aws.String("things"), optional(strings.Join(tests, " AND ")), types.ReturnValuesOnConditionCheckFailureAllOld
	switch kind {
	case raw.Put:
		t.request.Put = &types.Put{TableName: things, Item: attributes, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: old}
	case raw.Update:
		t.request.Update = &types.Update{TableName: things, Key: key, UpdateExpression: &update, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: old}
	case raw.Delete:
		t.request.Delete = &types.Delete{TableName: things, Key: key, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: old}
	case raw.Check:
		t.request.ConditionCheck = &types.ConditionCheck{TableName: things, Key: key, ConditionExpression: condition,
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: old}
	}
	return t
}

func textOf(v types.AttributeValue) string { return v.(*types.AttributeValueMemberS).Value }

// twin returns a random action, occasionally an invalid one.
func (h history) twin() twin {
	key, shifts := h.key(), []raw.Shift(nil)
	var conditions []raw.Condition
	if h.IntN(4) == 0 {
		conditions = append(conditions, []raw.Condition{
			{Text: "#n < :0 OR #kept = :1", Values: []types.AttributeValue{n(h.IntN(6)), s("kept1")}},
			{Text: "attribute_not_exists(#l) OR size(#l) < :0", Values: []types.AttributeValue{n(h.IntN(4))}},
			{Text: "begins_with(#a1, :0)", Values: []types.AttributeValue{s("x")}},
			{Text: "#n = :0", Values: []types.AttributeValue{n("03.0")}},
		}[h.IntN(4)])
	}
	exists := h.IntN(8) == 0
	absent := !exists && h.IntN(8) == 0
	switch h.IntN(8) {
	case 0, 1:
		it := h.item()
		if h.IntN(12) == 0 {
			it["a4s"] = s("of the wrong type")
		}
		return newTwin(raw.Put, nil, it, nil, exists, absent, conditions...)
	case 2:
		return newTwin(raw.Delete, key, nil, nil, exists, absent, conditions...)
	case 3:
		return newTwin(raw.Check, key, nil, nil, !absent, absent, conditions...)
	}
	changes := Item{}
	it := h.item()
	for _, name := range slices.Sorted(maps.Keys(it)) {
		if name != "pk" && name != "sk" && h.IntN(4) == 0 {
			if changes[name] = it[name]; h.IntN(3) == 0 {
				changes[name] = nil
			}
		}
	}
	if h.IntN(20) == 0 {
		changes["k1"] = s("") // not an index key
	}
	for _, name := range []string{"n", "count", "kept", "a4s"} {
		if _, set := changes[name]; !set && h.IntN(4) == 0 && (name != "kept" || h.IntN(10) == 0) {
			shifts = append(shifts, raw.Shift{Name: name, By: []int64{1, -1, 3, -4, 1 << 62, 0}[h.IntN(6)]})
		}
	}
	if len(changes)+len(shifts) == 0 {
		shifts = append(shifts, raw.Shift{Name: "count", By: 1})
	}
	return newTwin(raw.Update, key, changes, shifts, exists, false, conditions...)
}

func TestRawWritesAreRequests(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			byRequests, byWrites := withTable(t), withTable(t)
			h := history{rand.New(rand.NewPCG(seed, 11))}
			refusals := 0
			for step := range 600 {
				var requests []types.TransactWriteItem
				var writes []raw.Write
				taken := map[string]bool{}
				for range 1 + h.IntN(4) {
					w := h.twin()
					key := w.raw.Key
					if w.raw.Action == raw.Put {
						key = raw.Key{Hash: textOf(w.request.Put.Item["pk"]), Sort: textOf(w.request.Put.Item["sk"])}
					}
					if at := fmt.Sprint(key); !taken[at] {
						taken[at] = true
						requests, writes = append(requests, w.request), append(writes, w.raw)
					}
				}
				_, want := byRequests.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: requests})
				got := byWrites.WriteAll(ctx, writes)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("step %d: %+v\nby writes:   %v\nby requests: %v", step, writes, got, want)
				}
				if want != nil {
					refusals++
				}
				if step%50 == 49 {
					compareEngines(t, byWrites, byRequests)
				}
			}
			if refusals < 100 || refusals > 500 {
				t.Errorf("%d of 600 were refused", refusals)
			}
			checkIndexes(t, byWrites, "things")
		})
	}
}

// compareEngines compares the contents, indexes and counts of two engines.
func compareEngines(t *testing.T, got, want *Engine) {
	t.Helper()
	for _, index := range []string{"", "GSI-A1", "GSI-A4", "GSI-K1", "GSI-I1"} {
		if a, b := scanAll(t, got, index, 1), scanAll(t, want, index, 1); !reflect.DeepEqual(a, b) {
			t.Fatalf("%q holds\n%v\nwant\n%v", index, a, b)
		}
	}
	var counts [2]map[string][2]int64
	for i, e := range []*Engine{got, want} {
		out, err := e.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("things")})
		if err != nil {
			t.Fatal(err)
		}
		counts[i] = map[string][2]int64{"": {*out.Table.ItemCount, *out.Table.TableSizeBytes}}
		for _, x := range out.Table.GlobalSecondaryIndexes {
			counts[i][*x.IndexName] = [2]int64{*x.ItemCount, *x.IndexSizeBytes}
		}
	}
	if !reflect.DeepEqual(counts[0], counts[1]) {
		t.Fatalf("counts are %v, want %v", counts[0], counts[1])
	}
}

// Raw writes are refused with the same errors as requests, and then write nothing.
func TestRawWritesAreJudged(t *testing.T) {
	byRequests, byWrites := withTable(t), withTable(t)
	key := key("p", "s")
	one := newTwin(raw.Put, nil, item("pk", "p", "sk", "s"), nil, false, false)
	for name, twins := range map[string][]twin{
		"the same item twice": {one, newTwin(raw.Delete, key, nil, nil, false, false)},
		"no hash key":         {newTwin(raw.Put, nil, item("sk", "s"), nil, false, false)},
		"key of a wrong type": {newTwin(raw.Put, nil, item("pk", "p", "sk", 1), nil, false, false)},
		"empty key":           {newTwin(raw.Put, nil, item("pk", "", "sk", "s"), nil, false, false)},
		"empty key to delete": {newTwin(raw.Delete, item("pk", "p", "sk", ""), nil, nil, false, false)},
		"long key":            {newTwin(raw.Delete, item("pk", "p", "sk", long(1025)), nil, nil, false, false)},
		"long key to put":     {newTwin(raw.Put, nil, item("pk", long(2049), "sk", "s"), nil, false, false)},
		"a great item":        {newTwin(raw.Put, nil, item("pk", "p", "sk", "s", "text", long(400<<10)), nil, false, false)},
		"update of the key":   {newTwin(raw.Update, key, item("sk", "t"), nil, false, false)},
		"shift of the key":    {newTwin(raw.Update, key, nil, []raw.Shift{{Name: "sk", By: 1}}, false, false)},
		"great number":        {newTwin(raw.Put, nil, item("pk", "p", "sk", "s", "n", 1, "m", n("1E+200")), nil, false, false)},
		"no number":           {newTwin(raw.Put, nil, item("pk", "p", "sk", "s", "m", n("one")), nil, false, false)},
		"empty set":           {newTwin(raw.Put, nil, item("pk", "p", "sk", "s", "m", &types.AttributeValueMemberSS{}), nil, false, false)},
		"bad condition": {newTwin(raw.Delete, key, nil, nil, false, false, raw.Condition{Text: "size(#n) < :0", Values: []types.AttributeValue{b("x")}},
			raw.Condition{Text: "#n = #n"})},
		"path below a key": {newTwin(raw.Delete, key, nil, nil, false, false, raw.Condition{Text: "#a1.#n = :0", Values: []types.AttributeValue{n(1)}})},
	} {
		var requests []types.TransactWriteItem
		var writes []raw.Write
		for _, w := range twins {
			requests, writes = append(requests, w.request), append(writes, w.raw)
		}
		_, want := byRequests.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: requests})
		got := byWrites.WriteAll(ctx, writes)
		if want == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := scanAll(t, byWrites, "", 1); len(got) > 0 {
		t.Errorf("written nevertheless: %v", got)
	}
	unlisted := fieldsOf(item("pk", "p", "sk", "s"))
	for name, w := range map[string]raw.Write{
		"check of nothing":        {Action: raw.Check, Table: "things", Key: raw.Key{Hash: "p", Sort: "s"}},
		"no such table":           {Action: raw.Delete, Table: "nothing", Key: raw.Key{Hash: "p", Sort: "s"}},
		"fields in disorder":      {Action: raw.Put, Table: "things", Fields: []raw.Field{unlisted[1], unlisted[0]}},
		"put without a value":     {Action: raw.Put, Table: "things", Fields: append(unlisted[:2:2], raw.Field{Name: "x"})},
		"put with a shift":        {Action: raw.Put, Table: "things", Fields: unlisted, Shifts: []raw.Shift{{Name: "n", By: 1}}},
		"delete with fields":      {Action: raw.Delete, Table: "things", Key: raw.Key{Hash: "p", Sort: "s"}, Fields: unlisted},
		"unnamed attribute":       {Action: raw.Put, Table: "things", Fields: append([]raw.Field{{Kind: raw.True}}, unlisted...)},
		"unnamed shift":           {Action: raw.Update, Table: "things", Key: raw.Key{Hash: "p", Sort: "s"}, Shifts: []raw.Shift{{Name: "", By: 1}}},
		"a form there is not":     {Action: raw.Put, Table: "things", Fields: append(unlisted[:2:2], raw.Field{Name: "x", Kind: 9})},
		"a value of another form": {Action: raw.Put, Table: "things", Fields: append(unlisted[:2:2], raw.Field{Name: "x", Kind: raw.Other})},
	} {
		if err := byWrites.WriteAll(ctx, []raw.Write{w}); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	for _, n := range []int{0, 101} {
		if err := byWrites.WriteAll(ctx, slices.Repeat([]raw.Write{one.raw}, n)); !isValidation(err) || !strings.Contains(err.Error(), "1 to 100") {
			t.Errorf("%d writes: %v", n, err)
		}
	}
}

func TestRawWriteOfOne(t *testing.T) {
	e := withTable(t)
	write := func(fields ...any) error {
		return e.WriteOne(ctx, raw.Write{Action: raw.Put, Table: "things", Absent: true, Fields: fieldsOf(item(fields...))})
	}
	if err := write("pk", "p", "sk", "s", "k1", ""); !isValidation(err) {
		t.Errorf("empty index key: %v", err)
	}
	if err := write("pk", "p", "sk", "s", "n", n("1.50")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, e, key("p", "s")); !equal(got, item("pk", "p", "sk", "s", "n", n("1.5"))) {
		t.Errorf("stored %v", got)
	}
	var failed *types.ConditionalCheckFailedException
	if err := write("pk", "p", "sk", "s"); !errors.As(err, &failed) || failed.Item["n"] == nil {
		t.Errorf("refused with %v", err)
	}
	grow := raw.Write{Action: raw.Update, Table: "things", Key: raw.Key{Hash: "p", Sort: "s"}, Fields: fieldsOf(item("text", long(400<<10)))}
	if err := e.WriteOne(ctx, grow); !isValidation(err) || !strings.Contains(err.Error(), "Item size to update") {
		t.Errorf("grown too much: %v", err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if err := e.WriteOne(over, raw.Write{Action: raw.Delete, Table: "things", Key: raw.Key{Hash: "p", Sort: "s"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("written after its time: %v", err)
	}
}
