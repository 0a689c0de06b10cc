package dump

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"stoa/internal/kit/engine/wire"
)

// maxMember is the maximum size of one member's text in bytes: that of a chunk and of the
// largest item in its longest form, with some margin.
const maxMember = 8 << 20

// Reader reads a file chunk by chunk and verifies each chunk before returning it.
type Reader struct {
	from   offsetReader
	gzip   *gzip.Reader
	header Header
	sum    string
	chunks int
	counts map[string]int64
	whole  int64 // end of the last complete member
	last   position
	// resumed is set if the export was interrupted and resumed.
	resumed bool
}

// Chunk is a part of a file.
type Chunk struct {
	Number int // from 1
	// Sum is the checksum of the file up to the end of the chunk.
	Sum   string
	Items []TableItem
}

// TableItem is an item and the table it belongs to, named without a prefix.
type TableItem struct {
	Table string
	text  []byte
}

// Item returns the item.
func (i TableItem) Item() (Item, error) { return wire.ReadItem(i.text) }

// NewReader reads the header of a file. It fails with ErrForeign, a *VersionError or an
// *IncompleteError if there is no supported one.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: offsetReader{buffer: bufio.NewReaderSize(from, 256<<10)}}
	text, err := r.member()
	var damaged *DamagedError
	switch {
	case errors.As(err, &damaged):
		return nil, ErrForeign
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(text, &r.header); err != nil {
		return nil, ErrForeign
	}
	if err := r.header.check(); err != nil {
		return nil, err
	}
	r.sum, r.counts = firstSum(text), map[string]int64{}
	for _, t := range r.header.Tables {
		r.counts[t.Name] = 0
	}
	r.whole = r.from.offset
	return r, nil
}

// Header returns the file's header.
func (r *Reader) Header() Header { return r.header }

// Summary returns what has been read so far; the whole file if Next has returned io.EOF.
func (r *Reader) Summary() Summary {
	return Summary{Items: maps.Clone(r.counts), OneMoment: r.header.OneMoment && !r.resumed}
}

// Next returns the next chunk, io.EOF at the end of a complete file, an *IncompleteError if
// the file is truncated and a *DamagedError if it has changed.
func (r *Reader) Next() (*Chunk, error) {
	text, err := r.member()
	if err != nil {
		return nil, err
	}
	var end line
	at := bytes.LastIndexByte(text[:max(len(text)-1, 0)], '\n') + 1
	if err := json.Unmarshal(text[at:], &end); err != nil {
		return nil, r.damaged("a line is not JSON")
	}
	switch {
	case end.End != nil:
		return nil, r.end(end.End)
	case end.Chunk == nil:
		return nil, r.damaged("a chunk has no end")
	}
	chunk, err := r.chunk(text[:at], end.Chunk)
	if err != nil {
		return nil, err
	}
	r.whole = r.from.offset
	return chunk, nil
}

// chunk verifies a chunk and counts it as read.
func (r *Reader) chunk(text []byte, end *chunkEnd) (*Chunk, error) {
	sum, err := sumChunk(r.sum, text, *end)
	if err != nil {
		return nil, err
	}
	if sum != end.SHA256 || end.Number != r.chunks+1 {
		return nil, r.damaged(fmt.Sprintf("chunk %d is not in its original place", end.Number))
	}
	items, err := r.items(text)
	if err != nil {
		return nil, err
	}
	key, err := wire.ReadItem(end.After)
	if err != nil || len(items) != end.Items || r.header.table(end.Table) == nil {
		return nil, r.damaged(fmt.Sprintf("chunk %d does not match its description", end.Number))
	}
	for _, item := range items {
		r.counts[item.Table]++
	}
	r.sum, r.chunks, r.last = sum, end.Number, position{end.Table, key}
	r.resumed = r.resumed || end.ResumedAt != nil
	return &Chunk{Number: end.Number, Sum: sum, Items: items}, nil
}

func (r *Reader) items(text []byte) (items []TableItem, err error) {
	for row := range bytes.Lines(text) {
		var l line
		if err := json.Unmarshal(row, &l); err != nil {
			return nil, r.damaged("a line is not JSON")
		}
		if r.header.table(l.Table) == nil {
			return nil, r.damaged(fmt.Sprintf("an item belongs to table %q, which the header does not list", l.Table))
		}
		items = append(items, TableItem{l.Table, l.Item})
	}
	return items, nil
}

// end verifies that the content of the file matches its end.
func (r *Reader) end(end *fileEnd) error {
	if end.Chunks != r.chunks || end.SHA256 != r.sum || !maps.Equal(end.Items, r.counts) {
		return r.damaged("its items do not match its last line")
	}
	if _, err := r.from.ReadByte(); err != io.EOF {
		return r.damaged("its last line is followed by more data")
	}
	return io.EOF
}

// member returns the text of the next gzip member.
func (r *Reader) member() (text []byte, err error) {
	if r.gzip == nil {
		r.gzip, err = gzip.NewReader(&r.from)
	} else {
		err = r.gzip.Reset(&r.from)
	}
	if err == nil {
		r.gzip.Multistream(false)
		text, err = io.ReadAll(io.LimitReader(r.gzip, maxMember+1))
	}
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &IncompleteError{r.Summary().Total()}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, new(flate.CorruptInputError)):
		return nil, r.damaged(err.Error())
	case err != nil:
		return nil, fmt.Errorf("the export cannot be read: %w", err)
	case len(text) > maxMember:
		return nil, r.damaged("a part of it is larger than the maximum")
	}
	return text, nil
}

func (r *Reader) damaged(reason string) error { return &DamagedError{r.whole, reason} }

// offsetReader counts the bytes read. Because it has ReadByte, nothing after the end of a
// gzip member is consumed.
type offsetReader struct {
	buffer *bufio.Reader
	offset int64
}

func (r *offsetReader) Read(p []byte) (int, error) {
	n, err := r.buffer.Read(p)
	r.offset += int64(n)
	return n, err
}

func (r *offsetReader) ReadByte() (byte, error) {
	b, err := r.buffer.ReadByte()
	if err == nil {
		r.offset++
	}
	return b, err
}
