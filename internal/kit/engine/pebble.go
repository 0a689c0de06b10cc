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

// memTableSize is the number of bytes written before they are flushed; up to stopWritesAt
// memtables exist when flushing falls behind. A counter that changes with every request is
// flushed once per memtable, so large ones avoid writing it repeatedly. They are allocated
// as they fill.
const (
	memTableSize = 16 << 20
	stopWritesAt = 3
	// level0 is the number of overlapping flushed tables that are merged into the next
	// level, which is then rewritten, and stopWritesAtLevel0 the maximum when merging falls
	// behind. A read checks each of them, usually only its bloom filter. With half as many,
	// adding comments took one twenty-fifth longer.
	level0             = 32
	stopWritesAtLevel0 = 2 * level0
	// baseLevelBytes is the size from which a database has another level that all items
	// have to pass through.
	baseLevelBytes = 1 << 30
	// Tables are large enough for the cost of creating one to be small compared to its
	// content.
	tableBytes = 8 << 20
	// Each block has a cost to create and to find, but reading one item reads its whole
	// block. Indexes of tables are held in memory and should not have indexes themselves.
	blockBytes      = 8 << 10
	indexBlockBytes = 256 << 10
	bloomBits       = 10
	maxOpenFiles    = 500
)

// newBlockCache returns a cache for that many bytes of blocks, in addition to the active
// memtable, which Pebble counts towards it.
func newBlockCache(bytes int64) *pebble.Cache { return pebble.NewCache(bytes + memTableSize) }

// settings returns options for a small process: a few megabytes of recent writes, bloom
// filters to read few blocks, and at most two compactions. There is no compression: it
// would make files a third smaller, but cost a tenth of the storage's work for a write, and
// an eighth of an uncached read.
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
		// Compactions for tombstones would write four times as much to save a twentieth of the
		// disk (BenchmarkStorage).
		DisableTableStats: true,
		EventListener: &pebble.EventListener{
			DataCorruption:  e.corrupted,
			WriteStallBegin: func(info pebble.WriteStallBeginInfo) { e.stalls.begin(info.Reason) },
			WriteStallEnd:   e.stalls.end,
		},
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

// corrupted reports a file that does not match its checksums. Reads from that file fail;
// the rest of the database remains readable.
func (e *Engine) corrupted(info pebble.DataCorruptionInfo) {
	e.log.Error("a file of the database is damaged; restore it from a copy", "file", info.Path, "error", info.Details)
}

// quietLogger logs problems; everything else is at debug level.
type quietLogger struct{ log *slog.Logger }

func (l quietLogger) Infof(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("storage", "detail", fmt.Sprintf(format, args...))
	}
}

func (l quietLogger) Errorf(format string, args ...any) {
	l.log.Error("storage", "detail", fmt.Sprintf(format, args...))
}

// Fatalf is called when storage cannot continue, for instance because the log cannot be
// written. Nothing more may be acknowledged, so the process must end.
func (l quietLogger) Fatalf(format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	l.log.Error("storage failed permanently", "detail", detail)
	panic("engine: storage failed permanently: " + detail)
}
