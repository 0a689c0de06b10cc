package dump

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A file is a sequence of gzip members, which gunzip reads as one text:
//
//	{"kind":"dynamodb-items","version":1,…}        the header, a separate member
//	{"table":"main","item":{"name":{"S":"Ana"}}}   some hundred items
//	{"chunk":{"number":1,"items":310,…}}           and the end of their chunk: one member
//	…                                              further chunks
//	{"end":{"items":{"main":90210},"chunks":291,…}} the end, a separate member
//
// A chunk's checksum covers its lines and the previous checksum, starting with the header,
// so lost or swapped chunks are detected. An export can be resumed after any complete
// member.

// Item is an item, or the key of one.
type Item = map[string]types.AttributeValue

// Version is the newest supported format version, and the one that is written.
const Version = 1

const kind = "dynamodb-items"

// Header describes the content and the source of a file.
type Header struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
	// ID identifies the file.
	ID      string    `json:"id"`
	TakenAt time.Time `json:"takenAt"`
	// Source names the store, as defined by the caller. An export cannot be resumed from
	// another source, where items may be in another order.
	Source string `json:"source"`
	// OneMoment is set if all items are a snapshot from TakenAt. Otherwise, items that were
	// changed meanwhile may be missing or inconsistent.
	OneMoment bool `json:"oneMoment"`
	// Prefix is the prefix of the exported tables' names.
	Prefix string  `json:"tablePrefix"`
	Tables []Table `json:"tables"`
}

// Table describes an exported table.
type Table struct {
	// Name is the table's name without the prefix.
	Name string `json:"name"`
	// EstimatedItems is the approximate number of items in the table, for progress reports.
	EstimatedItems int64       `json:"estimatedItems"`
	Key            []Attribute `json:"key"`
	Indexes        []Index     `json:"indexes,omitempty"`
}

// Attribute is a key attribute; the partition key comes first.
type Attribute struct {
	Name string `json:"name"`
	Type string `json:"type"` // S, N or B
}

// Index describes a global secondary index.
type Index struct {
	Name       string      `json:"name"`
	Key        []Attribute `json:"key"`
	Projection string      `json:"projection"`
	Include    []string    `json:"include,omitempty"`
}

// Summary is the content of a file, as far as it has been written or read.
type Summary struct {
	// Items counts the items of each table.
	Items map[string]int64
	// OneMoment reports whether all items are from one snapshot.
	OneMoment bool
}

// Total returns the total number of items.
func (s Summary) Total() (n int64) {
	for _, items := range s.Items {
		n += items
	}
	return n
}

// line is any line but the header.
type line struct {
	Table string          `json:"table,omitempty"`
	Item  json.RawMessage `json:"item,omitempty"`
	Chunk *chunkEnd       `json:"chunk,omitempty"`
	End   *fileEnd        `json:"end,omitempty"`
}

// chunkEnd ends a chunk. Table and After are the location of its last item, after which the
// next chunk starts.
type chunkEnd struct {
	Number int             `json:"number"` // from 1
	Items  int             `json:"items"`
	Table  string          `json:"table"`
	After  json.RawMessage `json:"after"`
	// ResumedAt is set in the first chunk after an interruption: its items are from a later
	// time than the previous ones.
	ResumedAt *time.Time `json:"resumedAt,omitempty"`
	SHA256    string     `json:"sha256,omitempty"`
}

// fileEnd ends a file. SHA256 is that of the last chunk.
type fileEnd struct {
	Items  map[string]int64 `json:"items"`
	Chunks int              `json:"chunks"`
	SHA256 string           `json:"sha256"`
}

// firstSum returns the checksum of the header's line.
func firstSum(header []byte) string {
	sum := sha256.Sum256(header)
	return hex.EncodeToString(sum[:])
}

// sumChunk returns the checksum of a chunk, given the previous checksum. It covers end
// without its own checksum.
func sumChunk(before string, items []byte, end chunkEnd) (string, error) {
	end.SHA256 = ""
	text, err := json.Marshal(end)
	if err != nil {
		return "", fmt.Errorf("dump: %w", err)
	}
	hash := sha256.New()
	for _, part := range [][]byte{[]byte(before), items, text} {
		hash.Write(part)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// check returns an error for unsupported headers.
func (h Header) check() error {
	switch {
	case h.Kind != kind:
		return ErrForeign
	case h.Version < 1 || h.Version > Version:
		return &VersionError{h.Version}
	case h.ID == "" || len(h.Tables) == 0:
		return ErrForeign
	}
	for _, t := range h.Tables {
		if len(t.Key) == 0 {
			return ErrForeign
		}
	}
	return nil
}

// table returns the description of a table, or nil if it is unknown.
func (h Header) table(name string) *Table {
	i := slices.IndexFunc(h.Tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &h.Tables[i]
}

// Fits returns the differences between the tables of h and others with the same names that
// could cause items to be refused or overwritten, or nil.
func (h Header) Fits(others []Table) error {
	for _, t := range h.Tables {
		i := slices.IndexFunc(others, func(o Table) bool { return o.Name == t.Name })
		switch {
		case i < 0:
			return fmt.Errorf("table %s of the file does not exist", t.Name)
		case !slices.Equal(t.Key, others[i].Key):
			return fmt.Errorf("table %s has the key %v in the file but %v in the store", t.Name, t.Key, others[i].Key)
		}
	}
	return nil
}

// estimate returns the approximate number of items in all tables.
func (h Header) estimate() (n int64) {
	for _, t := range h.Tables {
		n += t.EstimatedItems
	}
	return n
}
