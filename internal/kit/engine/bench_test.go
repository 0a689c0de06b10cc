package engine

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"stoa/internal/kit/engine/raw"
)

const benchItems = 20_000

// typical is an item of about 400 bytes with the attributes of a post.
func typical(i int) Item {
	return item(
		"pk", fmt.Sprintf("post/%08d", i/20), "sk", fmt.Sprintf("comment/%08d", i%20),
		"a1", fmt.Sprintf("author/%05d", i%500), "a1s", fmt.Sprintf("2026-01-01T00:00:00.%06dZ", i),
		"schemaVersion", 2, "text", strings.Repeat("lorem ipsum ", 15), "likes", i%100, "views", i,
		"postedBy", fmt.Sprintf("author/%05d", i%500), "status", "COMPLETED", "hidden", &types.AttributeValueMemberBOOL{},
		"tags", &types.AttributeValueMemberL{Value: []types.AttributeValue{s("a"), s("b")}},
	)
}

// loaded opens an engine on disk with benchItems items, flushed and compacted.
func loaded(b *testing.B) *Engine {
	b.Helper()
	e := onDisk(b)
	create(b, e, testTable("things"))
	for i := 0; i < benchItems; i += 25 {
		var writes []types.WriteRequest
		for j := i; j < i+25; j++ {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: typical(j)}})
		}
		if _, err := e.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"things": writes}}); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.db.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := e.db.Compact(ctx, []byte{0}, []byte{0xFF}, false); err != nil {
		b.Fatal(err)
	}
	return e
}

// onDisk opens an empty engine on disk.
func onDisk(t testing.TB, opts ...Option) *Engine {
	t.Helper()
	e, err := Open(t.TempDir(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func BenchmarkGet(b *testing.B) {
	e := loaded(b)
	t := (*e.tables.Load())["things"]
	keys := make([]Item, 1000)
	storedKeys := make([][]byte, len(keys))
	plainKeys := make([]raw.Key, len(keys))
	for i := range keys {
		n := i * 7919 % benchItems
		keys[i] = key(fmt.Sprintf("post/%08d", n/20), fmt.Sprintf("comment/%08d", n%20))
		storedKeys[i], _ = appendKey(nil, &t.relation, keys[i])
		plainKeys[i] = raw.Key{Hash: fmt.Sprintf("post/%08d", n/20), Sort: fmt.Sprintf("comment/%08d", n%20)}
	}
	b.Run("pebble", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			value, closer, err := e.db.Get(storedKeys[i%len(storedKeys)])
			if err != nil || len(value) < 300 {
				b.Fatal(err, len(value))
			}
			closer.Close()
		}
	})
	b.Run("GetItem", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			out, err := e.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("things"), Key: keys[i%len(keys)]})
			if err != nil || len(out.Item) != 12 {
				b.Fatal(err, out)
			}
		}
	})
	b.Run("ReadItems", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			err := e.ReadItems(ctx, "things", plainKeys[i%len(keys):][:1], func(_ int, item raw.Item) error {
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkQuery20(b *testing.B) {
	e := loaded(b)
	t := (*e.tables.Load())["things"]
	b.Run("pebble", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			p, _ := appendPartition(nil, &t.relation, s(fmt.Sprintf("post/%08d", i*37%(benchItems/20))))
			it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: p, UpperBound: append(p[:len(p):len(p)], 0xFF)})
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for ok := it.First(); ok; ok = it.Next() {
				n += len(it.Value())
			}
			it.Close()
			if n < 20*300 {
				b.Fatal(n)
			}
		}
	})
	b.Run("Query", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			out, err := e.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("things"), KeyConditionExpression: aws.String("pk = :p"),
				ExpressionAttributeValues: Item{":p": s(fmt.Sprintf("post/%08d", i*37%(benchItems/20)))}})
			if err != nil || out.Count != 20 {
				b.Fatal(err, out)
			}
		}
	})
	b.Run("ReadRange", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			n := 0
			_, err := e.ReadRange(ctx, raw.Range{Table: "things", Hash: fmt.Sprintf("post/%08d", i*37%(benchItems/20))}, func(raw.Item) error {
				n++
				return nil
			})
			if err != nil || n != 20 {
				b.Fatal(err, n)
			}
		}
	})
}

// BenchmarkPut measures conditional puts, in memory to show the CPU cost and on disk, where
// each waits for a sync.
func BenchmarkPut(b *testing.B) {
	for _, kind := range []string{"memory", "disk"} {
		b.Run(kind, func(b *testing.B) {
			e := memory(b)
			if kind == "disk" {
				var err error
				if e, err = Open(b.TempDir()); err != nil {
					b.Fatal(err)
				}
				defer e.Close()
			}
			create(b, e, testTable("things"))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := e.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("things"), Item: typical(i),
					ConditionExpression: aws.String("attribute_not_exists(pk)")}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTransact4 measures transactions of four puts by 16 writers on disk, and reports
// the number of transactions per sync of the log.
func BenchmarkTransact4(b *testing.B) {
	fs := &syncCounter{FS: vfs.Default}
	e, err := open(b.TempDir(), fs, options{cacheSize: 32 << 20}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	create(b, e, testTable("things"))
	put(b, e, typical(benchItems)) // the table knows the names
	var next atomic.Int64
	before := fs.syncs.Load()
	b.SetParallelism(8) // times GOMAXPROCS
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := int(next.Add(4))
			in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String(fmt.Sprint("token-", i))}
			for j := range 4 {
				in.TransactItems = append(in.TransactItems, types.TransactWriteItem{
					Put: &types.Put{TableName: aws.String("things"), Item: typical(i + j)}})
			}
			if _, err := e.TransactWriteItems(ctx, in); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/float64(fs.syncs.Load()-before), "commits/sync")
}

// syncCounter counts syncs of files.
type syncCounter struct {
	vfs.FS
	syncs atomic.Int64
}

func (c *syncCounter) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := c.FS.Create(name, category)
	return countedFile{f, c}, err
}

func (c *syncCounter) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := c.FS.ReuseForWrite(from, to, category)
	return countedFile{f, c}, err
}

type countedFile struct {
	vfs.File
	count *syncCounter
}

func (f countedFile) Sync() error {
	f.count.syncs.Add(1)
	return f.File.Sync()
}

func (f countedFile) SyncData() error {
	f.count.syncs.Add(1)
	return f.File.SyncData()
}
