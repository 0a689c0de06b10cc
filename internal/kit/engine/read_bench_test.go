package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"stoa/internal/kit/engine/raw"
)

// deepItems is the number of items in a deep store.
const deepItems = 500_000

// deep opens an engine on disk with small items on all levels, as while writes are in
// progress: most in the lower levels, newer versions of some in SSTables that were just
// flushed and in the memtable.
func deep(b *testing.B, opts ...Option) (*Engine, *table) {
	b.Helper()
	e, err := Open(b.TempDir(), opts...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	create(b, e, testTable("things"))
	t := (*e.tables.Load())["things"]
	random := rand.New(rand.NewPCG(1, 2))
	fill := func(n int, next func(int) int) {
		for i := 0; i < n; i += 250 {
			e.shape.RLock()
			w := writer{engine: e, batch: e.db.NewBatch()}
			for j := i; j < i+250; j++ {
				storedKey := deepKey(t, next(j))
				value := make([]byte, 200)
				for k := range value {
					value[k] = byte(random.Uint32())
				}
				if err := w.batch.Set(storedKey, value, nil); err != nil {
					b.Fatal(err)
				}
				w.news = append(w.news, newItem{storedKey: storedKey, data: value, exists: true})
			}
			wait, err := w.commit()
			e.shape.RUnlock()
			if err != nil {
				b.Fatal(err)
			}
			if err := wait(); err != nil {
				b.Fatal(err)
			}
		}
	}
	fill(deepItems, func(i int) int { return i })
	if err := e.db.Compact(ctx, []byte{0}, []byte{0xFF}, false); err != nil {
		b.Fatal(err)
	}
	again := func(int) int { return random.IntN(deepItems) }
	fill(deepItems/4, again)
	for e.db.Metrics().Levels[0].TablesCount < 5 {
		fill(5000, again)
	}
	fill(25_000, again)
	return e, t
}

// deepKey returns the key of item i of a deep store, whether or not it exists.
func deepKey(t *table, i int) []byte {
	storedKey, err := t.appendRawKey(nil, raw.Key{Hash: fmt.Sprintf("user/us-east-1:%036d", i), Sort: fmt.Sprintf("follower/us-east-1:%036d", i*31)})
	if err != nil {
		panic(err)
	}
	return storedKey
}

type wantedKey struct {
	storedKey []byte
	exists    bool
}

// BenchmarkLookup reads batches of items, two thirds of which do not exist and were never
// requested before; the others are among a few thousand that are requested repeatedly. It
// compares the engine with several ways to read the storage, and reports the time per item.
func BenchmarkLookup(b *testing.B) {
	e, t := deep(b)
	wanted := make([]wantedKey, 30_000)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range wanted {
		if i%3 == 0 {
			wanted[i] = wantedKey{deepKey(t, random.IntN(5000)), true}
		} else {
			wanted[i] = wantedKey{deepKey(t, deepItems+random.IntN(deepItems)), false}
		}
	}
	fresh := uint64(0)
	for !e.keys.Complete() {
		runtime.Gosched()
	}
	ways := []struct {
		name string
		read func(storedKeys [][]byte) (found int, err error)
	}{
		{"engine", func(storedKeys [][]byte) (int, error) { return latestOf(e, storedKeys) }},
		{"iterator", func(storedKeys [][]byte) (int, error) { return seekEach(e.db, storedKeys) }},
		{"sorted", func(storedKeys [][]byte) (int, error) {
			sorted := slices.Clone(storedKeys)
			slices.SortFunc(sorted, bytes.Compare)
			return seekEach(e.db, sorted)
		}},
		{"get", func(storedKeys [][]byte) (int, error) { return getEach(e.db, storedKeys) }},
	}
	for _, size := range []int{6, 100} {
		for _, way := range ways {
			b.Run(fmt.Sprintf("%s/%d", way.name, size), func(b *testing.B) {
				b.ReportAllocs()
				asked, found := 0, 0
				for b.Loop() {
					batch := wanted[asked%(len(wanted)-size):][:size]
					n, err := way.read(neverAsked(batch, &fresh))
					if err != nil {
						b.Fatal(err)
					}
					asked += size
					found += n
				}
				if found == 0 || found > asked/2 {
					b.Fatal(found, asked)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(asked), "ns/item")
			})
		}
	}
}

// neverAsked replaces the keys of absent items in batch by new ones.
func neverAsked(batch []wantedKey, fresh *uint64) [][]byte {
	storedKeys := make([][]byte, len(batch))
	for i, w := range batch {
		if storedKeys[i] = w.storedKey; !w.exists {
			*fresh++
			binary.BigEndian.PutUint64(w.storedKey[len(w.storedKey)-10:], *fresh)
		}
	}
	return storedKeys
}

func latestOf(e *Engine, storedKeys [][]byte) (found int, err error) {
	var r readings
	if err := e.latest(&r, storedKeys...); err != nil {
		return 0, err
	}
	for i := range storedKeys {
		if _, ok := r.at(i); ok {
			found++
		}
	}
	return found, nil
}

func seekEach(db *pebble.DB, storedKeys [][]byte) (found int, err error) {
	it, err := db.NewIter(&pebble.IterOptions{UseL6Filters: true})
	if err != nil {
		return 0, err
	}
	for _, storedKey := range storedKeys {
		if it.SeekPrefixGE(storedKey) {
			found++
		}
	}
	return found, it.Close()
}

func getEach(db *pebble.DB, storedKeys [][]byte) (found int, err error) {
	for _, storedKey := range storedKeys {
		_, closer, err := db.Get(storedKey)
		if errors.Is(err, pebble.ErrNotFound) {
			continue
		}
		if err != nil {
			return 0, err
		}
		closer.Close()
		found++
	}
	return found, nil
}
