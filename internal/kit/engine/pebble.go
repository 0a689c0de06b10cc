package engine

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// memTableSize is how much is written before it is flushed; up to
// stopWritesAt of them exist when flushing falls behind. A counter that changes with
// every request is flushed once a table, so great tables save writing it again and
// again. They are taken as they fill.
const (
	memTableSize = 16 << 20
	stopWritesAt = 3
	// level0 is how many flushed tables may overlap before they are merged into the next
	// level, all of which is written anew then, and stopWritesAtLevel0 how many when that
	// falls behind. A read asks each of them, mostly no more than its bloom filter. With
	// half as many, comments in a row took a twenty-fifth more.
	level0             = 32
	stopWritesAtLevel0 = 2 * level0
	// baseLevelBytes is how large a database gets before it has another level that all
	// items have to pass on their way down.
	baseLevelBytes = 1 << 30
	// Tables are large enough that making one costs little beside what is in it.
	tableBytes = 8 << 20
	// Each block costs something to be made and found, but a read of one item takes in
	// all of its block. Indexes of tables are held in memory and should not have indexes
	// of their own.
	blockBytes      = 8 << 10
	indexBlockBytes = 256 << 10
	bloomBits       = 10
	maxOpenFiles    = 500
)

// newBlockCache returns a cache with room for that many bytes of blocks beside the
// table of recent writes that is filled, which Pebble takes out of it.
func newBlockCache(bytes int64) *pebble.Cache { return pebble.NewCache(bytes + memTableSize) }

// settings are chosen for a small process: a few megabytes of recent writes,
// bloom filters so that reads touch few blocks, and two compactions at most.
// Nothing is compressed: that would make files a third smaller, but cost a tenth of what
// the storage does for a write, and an eighth of a read that the caches do not answer.
func (e *Engine) settings(fs vfs.FS) *pebble.Options {
	s := &pebble.Options{
		FS:                          fs,
		Lock:                        e.lock,
		Cache:                       e.cache,
		Logger:                      quietLogger{e.log},
		FormatMajorVersion:          pebble.FormatValueSeparation,
		MemTableSize:                memTableSize,
		MemTableStopWritesThreshold: stopWritesAt,
		MaxOpenFiles:                maxOpenFiles,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
		L0CompactionThreshold:       2 * level0, // Pebble counts them twice
		L0StopWritesThreshold:       stopWritesAtLevel0,
		LBaseMaxBytes:               baseLevelBytes,
		DisableTableStats:           true,
		EventListener:               &pebble.EventListener{DataCorruption: e.corrupted},
		BlockPropertyCollectors:     []func() pebble.BlockPropertyCollector{newPartitionCollector},
	}
	for i := range s.Levels {
		s.TargetFileSizes[i] = tableBytes
		l := &s.Levels[i]
		l.FilterPolicy = bloom.FilterPolicy(bloomBits)
		l.BlockSize, l.IndexBlockSize = blockBytes, indexBlockBytes
		l.Compression = func() *sstable.CompressionProfile { return sstable.NoCompression }
	}
	s.EnsureDefaults()
	return s
}

// corrupted reports a file whose contents do not match their checksums. Reads from that
// file fail; the rest of the database can still be read.
func (e *Engine) corrupted(info pebble.DataCorruptionInfo) {
	e.log.Error("a file of the database is damaged; restore it from a copy", "file", info.Path, "error", info.Details)
}

// quietLogger passes on what goes wrong; what goes well is for debugging.
type quietLogger struct{ log *slog.Logger }

func (l quietLogger) Infof(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("storage", "detail", fmt.Sprintf(format, args...))
	}
}

func (l quietLogger) Errorf(format string, args ...any) {
	l.log.Error("storage", "detail", fmt.Sprintf(format, args...))
}

// Fatalf is called when storage cannot go on, for instance when the log cannot
// be written: nothing more may be acknowledged, so the process must not live on.
func (l quietLogger) Fatalf(format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	l.log.Error("storage failed for good", "detail", detail)
	panic("engine: storage failed for good: " + detail)
}
