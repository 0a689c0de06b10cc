package engine

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/raw"
)

// partitionsAsked is the number of partitions of twenty items that are read per turn.
const partitionsAsked = 100

// BenchmarkQueryBesideScan compares reading twenty items of 400 bytes with Query, into the
// SDK's maps, and as stored bytes with an iterator of Pebble: from a small table that is
// warm in memory, and at random from a million items on disk, a tenth of which fit into the
// caches. Both alternate, so that load on the machine affects them equally. It reports the
// medians and their ratio. Much of it is the cost of allocating and filling Go's maps,
// which grows with the number of attributes, with a step beyond eight.
func BenchmarkQueryBesideScan(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(300)) // like the collector of a server
	for _, partitions := range []int{partitionsAsked, 50_000} {
		for _, attributes := range []int{4, 8, 12} {
			b.Run(fmt.Sprintf("items=%d/attributes=%d", partitions*20, attributes), func(b *testing.B) {
				open := memory
				if partitions > partitionsAsked {
					open = onDisk
				}
				e := open(b)
				create(b, e, testTable("things"))
				fillEven(b, e, partitions, attributes)
				benchmarkQueryBesideScan(b, e, partitions, attributes)
			})
		}
	}
}

func benchmarkQueryBesideScan(b *testing.B, e *Engine, partitions, attributes int) {
	random := rand.New(rand.NewPCG(1, 2))
	inputs := make([]*dynamodb.QueryInput, partitionsAsked)
	bounds := make([]*pebble.IterOptions, partitionsAsked)
	t := (*e.tables.Load())["things"]
	choose := func() {
		for i := range partitionsAsked {
			hash := s(fmt.Sprintf("post/%08d", random.IntN(partitions)))
			inputs[i] = &dynamodb.QueryInput{TableName: aws.String("things"), KeyConditionExpression: aws.String("pk = :p"),
				ExpressionAttributeValues: Item{":p": hash}}
			lower, _ := appendPartition(nil, &t.relation, hash)
			bounds[i] = &pebble.IterOptions{LowerBound: lower, UpperBound: append(lower[:len(lower):len(lower)], 0xFF)}
		}
	}
	var scans, queries []time.Duration
	for b.Loop() {
		choose()
		begun := time.Now()
		for _, in := range bounds {
			scanTwenty(b, e.db, in)
		}
		scans = append(scans, time.Since(begun))
		choose() // new ones, since these would be warm
		begun = time.Now()
		for _, in := range inputs {
			if out, err := e.Query(ctx, in); err != nil || len(out.Items) != 20 || len(out.Items[0]) != attributes {
				b.Fatal(err, out)
			}
		}
		queries = append(queries, time.Since(begun))
	}
	scan, query := median(scans)/partitionsAsked, median(queries)/partitionsAsked
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(scan), "ns/scan")
	b.ReportMetric(float64(query), "ns/query")
	b.ReportMetric(float64(query)/float64(scan), "query/scan")
}

// fillEven puts twenty items into each partition and compacts them.
func fillEven(b *testing.B, e *Engine, partitions, attributes int) {
	b.Helper()
	for from := 0; from < partitions*20; from += 100 {
		writes := make([]raw.Write, 100)
		for i := range writes {
			writes[i] = raw.Write{Action: raw.Put, Table: "things"}
			it := evenItem(from+i, attributes)
			for _, name := range slices.Sorted(maps.Keys(it)) {
				text := it[name].(*types.AttributeValueMemberS).Value
				writes[i].Fields = append(writes[i].Fields, raw.Field{Name: name, Kind: raw.Text, Text: text})
			}
		}
		if err := e.WriteAll(ctx, writes); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.db.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := e.db.Compact(ctx, []byte{0}, []byte{0xFF}, false); err != nil {
		b.Fatal(err)
	}
}

// evenItem returns an item of 400 bytes whose strings, except the key, have equal lengths.
func evenItem(i, attributes int) Item {
	it := item("pk", fmt.Sprintf("post/%08d", i/20), "sk", fmt.Sprintf("comment/%08d", i%20))
	const keySize = 2 + 13 + 2 + 16
	for j := range attributes - 2 {
		name := fmt.Sprintf("attribute%02d", j)
		size := (400 - keySize) / (attributes - 2)
		it[name] = s(strings.Repeat("x", size-len(name)))
	}
	return it
}

func scanTwenty(b *testing.B, db *pebble.DB, bounds *pebble.IterOptions) {
	it, err := db.NewIter(bounds)
	if err != nil {
		b.Fatal(err)
	}
	n, size := 0, 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
		size += len(it.Value())
	}
	if err := it.Close(); err != nil || n != 20 || size < 20*300 {
		b.Fatal(err, n, size)
	}
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
