package dump

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"stoa/internal/kit/engine/wire"
)

// chunkSize is the size of a chunk's text in bytes, which is how much is lost by an
// interruption, and how much an import holds in memory.
const chunkSize = 256 << 10

// writer writes a file. Each member is passed to the underlying writer at once.
type writer struct {
	to     io.Writer
	header Header
	sum    string
	chunks int
	counts map[string]int64

	text      []byte // the chunk so far
	items     int
	last      position
	resumedAt *time.Time

	packed bytes.Buffer
	gzip   *gzip.Writer
}

// position is the position of an item among all exported items.
type position struct {
	table string // empty before the first
	key   Item
}

// newWriter starts a file.
func newWriter(to io.Writer, h Header) (*writer, error) {
	h.Kind, h.Version = kind, Version
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("dump: %w", err)
	}
	text = append(text, '\n')
	w := &writer{to: to, header: h, sum: firstSum(text), counts: map[string]int64{}}
	for _, t := range h.Tables {
		w.counts[t.Name] = 0
	}
	return w, w.member(text)
}

// add adds an item, which is written when the file is closed or earlier.
func (w *writer) add(t *Table, item Item) error {
	w.text = append(w.text, `{"table":"`...)
	w.text = append(w.text, t.Name...)
	w.text = append(w.text, `","item":`...)
	w.text = wire.AppendItem(w.text, item)
	w.text = append(w.text, "}\n"...)
	w.items++
	w.counts[t.Name]++
	w.last = position{t.Name, keyOf(t, item)}
	if len(w.text) < chunkSize {
		return nil
	}
	return w.flush()
}

func keyOf(t *Table, item Item) Item {
	key := make(Item, len(t.Key))
	for _, a := range t.Key {
		key[a.Name] = item[a.Name]
	}
	return key
}

// flush writes the chunk, unless it is empty.
func (w *writer) flush() (err error) {
	if w.items == 0 {
		return nil
	}
	w.chunks++
	end := chunkEnd{Number: w.chunks, Items: w.items, Table: w.last.table, After: wire.AppendItem(nil, w.last.key), ResumedAt: w.resumedAt}
	if end.SHA256, err = sumChunk(w.sum, w.text, end); err != nil {
		return err
	}
	w.sum = end.SHA256
	if w.text, err = appendLine(w.text, line{Chunk: &end}); err != nil {
		return err
	}
	err = w.member(w.text)
	w.text, w.items, w.resumedAt = w.text[:0], 0, nil
	return err
}

// close writes the remaining items and the end of the file.
func (w *writer) close() error {
	if err := w.flush(); err != nil {
		return err
	}
	text, err := appendLine(nil, line{End: &fileEnd{Items: w.counts, Chunks: w.chunks, SHA256: w.sum}})
	if err != nil {
		return err
	}
	return w.member(text)
}

func appendLine(dst []byte, l line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("dump: %w", err)
	}
	return append(append(dst, text...), '\n'), nil
}

// member writes text as one gzip member.
func (w *writer) member(text []byte) error {
	w.packed.Reset()
	if w.gzip == nil {
		w.gzip = gzip.NewWriter(&w.packed)
	} else {
		w.gzip.Reset(&w.packed)
	}
	if _, err := w.gzip.Write(text); err != nil {
		return fmt.Errorf("dump: compress: %w", err)
	}
	if err := w.gzip.Close(); err != nil {
		return fmt.Errorf("dump: compress: %w", err)
	}
	if _, err := w.to.Write(w.packed.Bytes()); err != nil {
		return fmt.Errorf("the export cannot be written: %w", err)
	}
	return nil
}
