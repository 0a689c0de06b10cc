package engine

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// BenchmarkStorage measures the storage under the load of 16 writers of comments on random
// posts: each transaction writes a new item with two index entries, a post and a profile
// whose entries change, and an event that is deleted later. It reports the CPU time and the
// bytes written per transaction, including the resulting compactions.
func BenchmarkStorage(b *testing.B) {
	const transactions = 40_000
	for b.Loop() {
		fs := &syncCounter{FS: vfs.Default}
		e, err := open(b.TempDir(), fs, options{cacheSize: 32 << 20}, nil)
		if err != nil {
			b.Fatal(err)
		}
		fillStorage(b, e)
		before, cpu, syncs := e.db.Metrics(), processorTime(b), fs.syncs.Load()
		begun := time.Now()
		var all sync.WaitGroup
		const writers = 16
		for w := range writers {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 1))
				for i := range transactions / writers {
					batch := e.db.NewBatch()
					addComment(batch, random, w<<24|i)
					if err := e.db.Apply(batch, pebble.NoSync); err != nil {
						b.Error(err)
					}
					if err := e.awaitDurable(); err != nil {
						b.Error(err)
					}
					batch.Close()
				}
			})
		}
		all.Wait()
		took := time.Since(begun)
		synced := fs.syncs.Load() - syncs
		settleStorage(e.db)
		cpu = processorTime(b) - cpu
		after := e.db.Metrics()
		written := func(m *pebble.Metrics) (n uint64) {
			for _, l := range m.Levels {
				n += l.TableBytesCompacted + l.TableBytesFlushed + l.BlobBytesCompacted + l.BlobBytesFlushed
			}
			return n
		}
		each := func(n float64) float64 { return n / transactions }
		b.ReportMetric(each(float64(cpu.Microseconds())), "cpu-us/tx")
		b.ReportMetric(each(float64(took.Microseconds())), "us/tx")
		b.ReportMetric(each(float64(written(after)-written(before))), "tableB/tx")
		b.ReportMetric(each(float64(after.WAL.BytesWritten-before.WAL.BytesWritten)), "walB/tx")
		b.ReportMetric(transactions/float64(synced), "tx/sync")
		b.ReportMetric(float64(after.DiskSpaceUsage())/(1<<20), "disk-MiB")
		b.ReportMetric(float64(after.MemTable.ZombieSize+after.MemTable.Size)/(1<<20), "mem-MiB")
		b.StopTimer()
		e.Close()
		b.StartTimer()
	}
}

const (
	storagePosts    = 20_000
	storageProfiles = 2_000
	storageRows     = 300_000
)

func storageKey(space byte, kind string, n int) []byte {
	key := fmt.Appendf([]byte{space, 0, 0, 0, 1, 0, 0, 0, 0}, "%s/us-east-1:%036d", kind, n)
	h := uint32(n+1) * 2654435761
	binary.BigEndian.PutUint32(key[5:], h^h>>15)
	return fmt.Appendf(key, "\x00\x01-/%s", kind)
}

// storageValue returns a text of the given size, half of which can be compressed away.
func storageValue(random *rand.Rand, size int) []byte {
	v := make([]byte, 0, size+40)
	for len(v) < size {
		v = fmt.Appendf(v, "attribute%d:%x;lorem ipsum %d;", len(v)/50, random.Uint64(), random.IntN(1000))
	}
	return v[:size]
}

func fillStorage(b *testing.B, e *Engine) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	batch := e.db.NewBatch()
	set := func(key []byte, size int) {
		if err := batch.Set(key, storageValue(random, size), nil); err != nil {
			b.Fatal(err)
		}
		if batch.Len() > 1<<20 {
			if err := batch.Commit(pebble.NoSync); err != nil {
				b.Fatal(err)
			}
			batch = e.db.NewBatch()
		}
	}
	for i := range storagePosts {
		set(storageKey(10, "post", i), 700)
		for index := range byte(2) {
			set(storageKey(11+index, "post", i), 0)
		}
	}
	for i := range storageProfiles {
		set(storageKey(20, "profile", i), 700)
		set(storageKey(21, "profile", i), 0)
	}
	for i := range storageRows {
		set(storageKey(30, "row", i), 250)
		set(storageKey(31, "row", i), 0)
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		b.Fatal(err)
	}
	settleStorage(e.db)
}

func addComment(batch *pebble.Batch, random *rand.Rand, n int) {
	set := func(key []byte, value []byte) { batch.Set(key, value, nil) }
	comment := storageValue(random, 450)
	set(storageKey(40, "comment", n), comment)
	for index := range byte(2) {
		set(storageKey(41+index, "comment", n), nil)
	}
	set(storageKey(10, "post", random.IntN(storagePosts)), storageValue(random, 700))
	set(storageKey(20, "profile", random.IntN(storageProfiles)), storageValue(random, 700))
	set(storageKey(50, "event", n), comment[:300])
	if n&0xFFFFFF >= 20 {
		batch.Delete(storageKey(50, "event", n-20), nil)
	}
}

// settleStorage waits until no compaction is running or due.
func settleStorage(db *pebble.DB) {
	for quiet := 0; quiet < 5; time.Sleep(20 * time.Millisecond) {
		m := db.Metrics()
		if m.Compact.NumInProgress == 0 && m.Flush.NumInProgress == 0 {
			quiet++
		} else {
			quiet = 0
		}
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
