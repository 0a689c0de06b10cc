package engine

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

func TestPagesEndAt1MB(t *testing.T) {
	e := withTable(t)
	for i := range 12 {
		put(t, e, item("pk", "p", "sk", fmt.Sprintf("%02d", i), "k1", "k", "a1", "x", "a1s", fmt.Sprintf("%02d", i), "x", long(300<<10)))
	}
	in := &dynamodb.QueryInput{TableName: aws.String("things"), KeyConditionExpression: aws.String("pk = :p"),
		FilterExpression: aws.String("attribute_not_exists(x)"), ExpressionAttributeValues: item(":p", "p")}
	var scanned []int32
	for {
		out, err := e.Query(ctx, in)
		if err != nil || out.Count != 0 {
			t.Fatal(out, err)
		}
		scanned = append(scanned, out.ScannedCount)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			break
		}
	}
	if fmt.Sprint(scanned) != "[4 4 4 0]" {
		t.Errorf("pages of %v items", scanned)
	}
	keysOnly, err := e.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("things"), IndexName: aws.String("GSI-K1")})
	if err != nil || keysOnly.Count != 12 {
		t.Errorf("a page of keys holds %d items, %v", keysOnly.Count, err)
	}
}

func TestLimitComesBeforeTheFilter(t *testing.T) {
	e := withTable(t)
	for i := range 10 {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "n", i%2))
	}
	for _, tt := range []struct {
		limit, count, scanned int32
		last                  string
	}{{3, 1, 3, "2"}, {10, 5, 10, "9"}, {11, 5, 10, ""}} {
		out, err := e.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("things"), Limit: &tt.limit, KeyConditionExpression: aws.String("pk = :p"),
			FilterExpression: aws.String("n = :one"), ExpressionAttributeValues: item(":p", "p", ":one", 1)})
		if err != nil || out.Count != tt.count || out.ScannedCount != tt.scanned || len(out.Items) != int(tt.count) {
			t.Errorf("limit %d: count %d, scanned %d, %v", tt.limit, out.Count, out.ScannedCount, err)
		}
		var want Item
		if tt.last != "" {
			want = key("p", tt.last)
		}
		if !equal(out.LastEvaluatedKey, want) {
			t.Errorf("limit %d: last key %v, want %v", tt.limit, out.LastEvaluatedKey, want)
		}
	}
}

func TestSortKeyConditions(t *testing.T) {
	e := withTable(t)
	for _, sk := range []string{"a", "ab", "abc", "b", "b\x00", "b\x00a", "bz", "c"} {
		put(t, e, item("pk", "p", "sk", sk, "a4", "x"))
	}
	for i, number := range []string{"-100", "-9", "-0.5", "0", "0.5", "9", "10", "100"} {
		put(t, e, item("pk", "numbers", "sk", fmt.Sprint(i), "a4", "n", "a4s", n(number)))
	}
	for _, tt := range []struct {
		index, condition string
		values           Item
		want             string
	}{
		{"", "pk = :p AND sk = :s", item(":s", "ab"), "[ab]"},
		{"", "pk = :p AND sk < :s", item(":s", "b"), "[a ab abc]"},
		{"", "pk = :p AND sk <= :s", item(":s", "b"), "[a ab abc b]"},
		{"", "pk = :p AND sk > :s", item(":s", "b\x00"), "[b\x00a bz c]"},
		{"", "pk = :p AND sk >= :s", item(":s", "b\x00"), "[b\x00 b\x00a bz c]"},
		{"", "pk = :p AND sk BETWEEN :s AND :t", item(":s", "ab", ":t", "b"), "[ab abc b]"},
		{"", "pk = :p AND begins_with(sk, :s)", item(":s", "b"), "[b b\x00 b\x00a bz]"},
		{"", "pk = :p AND begins_with(sk, :s)", item(":s", "b\x00"), "[b\x00 b\x00a]"},
		{"GSI-A4", "a4 = :p AND a4s < :s", item(":s", 0), "[-100 -9 -0.5]"},
		{"GSI-A4", "a4 = :p AND a4s >= :s", item(":s", 9), "[9 10 100]"},
		{"GSI-A4", "a4 = :p AND a4s BETWEEN :s AND :t", item(":s", n("-9.0"), ":t", n("0.50")), "[-9 -0.5 0 0.5]"},
		{"GSI-A4", "a4 = :p AND a4s = :s", item(":s", n("1e1")), "[10]"},
	} {
		values := tt.values
		values[":p"] = s("p")
		if tt.index != "" {
			values[":p"] = s("n")
		}
		var got []string
		for _, it := range queryAll(t, e, &dynamodb.QueryInput{TableName: aws.String("things"), IndexName: optional(tt.index),
			KeyConditionExpression: &tt.condition, ExpressionAttributeValues: values}) {
			if tt.index != "" {
				got = append(got, it["a4s"].(*types.AttributeValueMemberN).Value)
			} else {
				got = append(got, it["sk"].(*types.AttributeValueMemberS).Value)
			}
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.condition, got, tt.want)
		}
	}
}

// Raw reads return the same as requests.
func TestRawReadsAgreeWithRequests(t *testing.T) {
	e := withTable(t)
	for i := range 9 {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "a4", "x", "a4s", 5-i, "n", i))
	}
	var visited []Item
	collect := func(item raw.Item) error {
		it, err := item.Item()
		visited = append(visited, it)
		return err
	}
	keys := []raw.Key{{Hash: "p", Sort: "3"}, {Hash: "p", Sort: "absent"}, {Hash: "p", Sort: "0"}}
	err := e.ReadItems(ctx, "things", keys, func(i int, item raw.Item) error {
		if i == 1 {
			t.Errorf("%v exists", keys[i])
		}
		return collect(item)
	})
	if err != nil || len(visited) != 2 || !equal(visited[0], get(t, e, key("p", "3"))) || !equal(visited[1], get(t, e, key("p", "0"))) {
		t.Errorf("visited %v, %v", visited, err)
	}
	for _, tt := range []struct {
		r         raw.Range
		condition string
		values    Item
	}{
		{raw.Range{Hash: "p"}, "pk = :p", item(":p", "p")},
		{raw.Range{Hash: "p", Prefix: "4"}, "pk = :p AND begins_with(sk, :s)", item(":p", "p", ":s", "4")},
		{raw.Range{Hash: "p", Low: "2", High: "6"}, "pk = :p AND sk BETWEEN :l AND :h", item(":p", "p", ":l", "2", ":h", "6")},
		{raw.Range{Hash: "p", Low: "2"}, "pk = :p AND sk >= :l", item(":p", "p", ":l", "2")},
		{raw.Range{Index: "GSI-A4", Hash: "x"}, "a4 = :p", item(":p", "x")},
		{raw.Range{Index: "GSI-A4", Hash: "x", High: "-1"}, "a4 = :p AND a4s <= :h", item(":p", "x", ":h", -1)},
	} {
		for _, backward := range []bool{false, true} {
			want := queryAll(t, e, &dynamodb.QueryInput{TableName: aws.String("things"), IndexName: optional(tt.r.Index),
				KeyConditionExpression: &tt.condition, ExpressionAttributeValues: tt.values, ScanIndexForward: aws.Bool(!backward)})
			visited = nil
			tt.r.Table, tt.r.Backward, tt.r.Limit, tt.r.After = "things", backward, 2, nil
			for {
				more, err := e.ReadRange(ctx, tt.r, collect)
				if err != nil {
					t.Fatal(err)
				}
				if !more {
					break
				}
				last := visited[len(visited)-1]
				sk := last["sk"].(*types.AttributeValueMemberS).Value
				tt.r.After = &raw.Position{Sort: sk, Owner: raw.Key{Hash: "p", Sort: sk}}
				if tt.r.Index != "" {
					tt.r.After.Sort = last["a4s"].(*types.AttributeValueMemberN).Value
				}
			}
			if len(visited) != len(want) {
				t.Fatalf("%s: visited %d, want %d", tt.condition, len(visited), len(want))
			}
			for i := range want {
				if !equal(visited[i], want[i]) {
					t.Errorf("%s: item %d is %v, want %v", tt.condition, i, visited[i], want[i])
				}
			}
		}
	}
}

func TestConcurrentCounting(t *testing.T) {
	const clients, each = 8, 250
	e := withTable(t)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				if err := updating("ADD n :one", item(":one", 1))(e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := number(t, get(t, e, key("p", "1")), "n"); got != clients*each {
		t.Errorf("counted %d, want %d", got, clients*each)
	}
}

// Large items are copied once, not each time that a buffer of several grows.
func TestLargeItemsAreCopiedOnce(t *testing.T) {
	const size, n = 200_000, 5
	e := withTable(t)
	var keys []raw.Key
	for i := range n {
		put(t, e, item("pk", "p", "sk", fmt.Sprint(i), "text", strings.Repeat(fmt.Sprint(i), size)))
		keys = append(keys, raw.Key{Hash: "p", Sort: fmt.Sprint(i)})
	}
	texts := map[string]bool{}
	read := func() {
		err := e.ReadItems(ctx, "things", keys, func(_ int, item raw.Item) error {
			return item.Each(func(name string, _ raw.Kind, text string) bool {
				if name == "text" {
					texts[text] = true
				}
				return true
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	least := uint64(math.MaxUint64) // others are due to the storage, which works in the background
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > n*size*3/2 {
		t.Errorf("reading %d bytes takes %d", n*size, least)
	}
	for i := range n {
		if !texts[strings.Repeat(fmt.Sprint(i), size)] {
			t.Errorf("item %d is missing", i)
		}
	}
	if len(texts) != n { // later reads do not change what earlier ones have returned
		t.Errorf("%d texts, want %d", len(texts), n)
	}
}
