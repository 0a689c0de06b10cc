package engine

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// memTableSize is how much is written before it is flushed; up to
// stopWritesAt of them exist when flushing falls behind.
const (
	memTableSize = 8 << 20
	stopWritesAt = 4
	bloomBits    = 10
	maxOpenFiles = 500
)

// settings are chosen for a small process: a few megabytes of recent writes,
// bloom filters so that a read of an absent key touches no block, and two
// compactions at most.
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
		L0CompactionThreshold:       4,
		DisableTableStats:           true,
		EventListener:               &pebble.EventListener{DataCorruption: e.corrupted},
	}
	for i := range s.Levels {
		s.Levels[i].FilterPolicy = bloom.FilterPolicy(bloomBits)
	}
	s.EnsureDefaults()
	return s
}

// corrupted reports a file whose contents do not match their checksums. Whoever
// reads from it gets an error; what lies elsewhere can still be read.
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
