// Package logs writes log lines in batches, to avoid a system call for each.
//
// A line is written to its destination within a tenth of a second. Writers must be closed,
// or their last lines are lost, as they are when a process is killed.
package logs

import (
	"io"
	"sync"
	"time"
)

const (
	// delay is the maximum delay of a line.
	delay = 100 * time.Millisecond
	// batch is the maximum size of a batch.
	batch = 32 << 10
)

// Writer batches writes. It is safe for concurrent use, and preserves the boundaries and
// the order of writes.
type Writer struct {
	mu      sync.Mutex
	out     io.Writer
	pending []byte
	timer   *time.Timer
	err     error
	closed  bool
}

// NewWriter returns a Writer in front of out.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, pending: make([]byte, 0, batch)}
}

// Write buffers a copy of line. It returns the error of an earlier batch, if any, because
// its own is not known yet.
func (w *Writer) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pending)+len(line) > batch {
		w.flush()
	}
	w.pending = append(w.pending, line...)
	switch {
	case w.closed || len(w.pending) >= batch:
		w.flush()
	case w.timer == nil:
		w.timer = time.AfterFunc(delay, w.due)
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(line), nil
}

// Close writes the remaining lines. Later lines are written directly.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.flush()
	return w.err
}

func (w *Writer) due() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
}

func (w *Writer) flush() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
	if len(w.pending) == 0 {
		return
	}
	if _, err := w.out.Write(w.pending); err != nil && w.err == nil {
		w.err = err
	}
	w.pending = w.pending[:0]
}
