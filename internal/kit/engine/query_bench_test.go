package engine

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cockroachdb/pebble/v2"
)

// partitions is how many there are in a small warm set; each has twenty items.
const partitions = 100

// BenchmarkQueryBesideScan reads twenty items of 400 bytes of a table that is small and
// warm: with Query into the SDK's maps, and as stored bytes by an iterator of Pebble.
// Both take turns, so that a busy machine slows them alike. It reports the medians and
// how many times as long Query takes. Much of that is what Go's maps take to be made
// and filled, which grows with the attributes and by a step beyond eight.
func BenchmarkQueryBesideScan(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(300)) // as the collector is set where an engine serves
	for _, attributes := range []int{4, 8, 12} {
		b.Run(fmt.Sprintf("attributes=%d", attributes), func(b *testing.B) {
			e := memory(b)
			create(b, e, testTable("things"))
			for i := range partitions * 20 {
				put(b, e, evenItem(i, attributes))
			}
			if err := e.db.Flush(); err != nil {
				b.Fatal(err)
			}
			inputs := make([]*dynamodb.QueryInput, partitions)
			bounds := make([]*pebble.IterOptions, partitions)
			t := (*e.tables.Load())["things"]
			for i := range partitions {
				hash := s(fmt.Sprintf("post/%08d", i))
				inputs[i] = &dynamodb.QueryInput{TableName: aws.String("things"), KeyConditionExpression: aws.String("pk = :p"),
					ExpressionAttributeValues: Item{":p": hash}}
				lower, _ := appendPartition(nil, &t.relation, hash)
				bounds[i] = &pebble.IterOptions{LowerBound: lower, UpperBound: append(lower[:len(lower):len(lower)], 0xFF)}
			}
			var scans, queries []time.Duration
			for b.Loop() {
				begun := time.Now()
				for _, in := range bounds {
					scanTwenty(b, e.db, in)
				}
				scanned := time.Now()
				for _, in := range inputs {
					if out, err := e.Query(ctx, in); err != nil || len(out.Items) != 20 || len(out.Items[0]) != attributes {
						b.Fatal(err, out)
					}
				}
				scans = append(scans, scanned.Sub(begun))
				queries = append(queries, time.Since(scanned))
			}
			scan, query := median(scans)/partitions, median(queries)/partitions
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(scan), "ns/scan")
			b.ReportMetric(float64(query), "ns/query")
			b.ReportMetric(float64(query)/float64(scan), "query/scan")
		})
	}
}

// evenItem is an item of 400 bytes whose texts, apart from the key, are equally long.
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
