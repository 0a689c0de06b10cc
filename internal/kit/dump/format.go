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

// A file is a sequence of gzip members, which any gunzip reads as one text:
//
//	{"kind":"dynamodb-items","version":1,…}        the header, a member of its own
//	{"table":"main","item":{"name":{"S":"Ana"}}}   items, some hundred of them,
//	{"chunk":{"number":1,"items":310,…}}           and where they end: one member
//	…                                              more such chunks
//	{"end":{"items":{"main":90210},"chunks":291,…}} the end, a member of its own
//
// A chunk's checksum covers its lines and the checksum before it, from the header on,
// so chunks can be neither lost nor swapped unnoticed. A member that is there whole is
// a place to continue from.

// Item is an item, or the key of one.
type Item = map[string]types.AttributeValue

// Version is the newest format that this package reads, and the one it writes.
const Version = 1

const kind = "dynamodb-items"

// Header says what a file holds and where it comes from.
type Header struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
	// ID tells this file from all others.
	ID      string    `json:"id"`
	TakenAt time.Time `json:"takenAt"`
	// Source names the store, in the caller's words. Going on with a file is refused
	// elsewhere, where items may come in another order.
	Source string `json:"source"`
	// OneMoment says that all items are as they were at TakenAt. Without it items
	// that changed meanwhile may be missing or not fit together.
	OneMoment bool `json:"oneMoment"`
	// Prefix is what the names of the exported tables began with.
	Prefix string  `json:"tablePrefix"`
	Tables []Table `json:"tables"`
}

// Table describes an exported table.
type Table struct {
	// Name is the table's name without the prefix.
	Name string `json:"name"`
	// EstimatedItems is how many items the table was believed to hold, for progress.
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

// Summary is what was written to a file, or what a whole file holds.
type Summary struct {
	// Items counts the items of each table.
	Items map[string]int64
	// OneMoment says whether all items are of one moment.
	OneMoment bool
}

// Total is the number of items of all tables.
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

// chunkEnd closes a chunk. Table and After are where its last item lies, so the next
// chunk begins behind them.
type chunkEnd struct {
	Number int             `json:"number"` // from 1
	Items  int             `json:"items"`
	Table  string          `json:"table"`
	After  json.RawMessage `json:"after"`
	// ResumedAt is there in the first chunk that was written after an interruption:
	// its items are of another moment than those before.
	ResumedAt *time.Time `json:"resumedAt,omitempty"`
	SHA256    string     `json:"sha256,omitempty"`
}

// fileEnd closes a file. SHA256 is that of the last chunk.
type fileEnd struct {
	Items  map[string]int64 `json:"items"`
	Chunks int              `json:"chunks"`
	SHA256 string           `json:"sha256"`
}

// firstSum is the checksum of the header's line.
func firstSum(header []byte) string {
	sum := sha256.Sum256(header)
	return hex.EncodeToString(sum[:])
}

// sumChunk is the checksum of a chunk that follows what has the checksum before. end
// is counted without its own.
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

// check refuses a header that this package cannot work with.
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

// table returns the description of a table, which is nil for an unknown one.
func (h Header) table(name string) *Table {
	i := slices.IndexFunc(h.Tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &h.Tables[i]
}

// Fits reports how the tables of h differ from others of the same names, as far as an
// item could be refused or overwritten for it; nil when they do not.
func (h Header) Fits(others []Table) error {
	for _, t := range h.Tables {
		i := slices.IndexFunc(others, func(o Table) bool { return o.Name == t.Name })
		switch {
		case i < 0:
			return fmt.Errorf("table %s of the file is unknown here", t.Name)
		case !slices.Equal(t.Key, others[i].Key):
			return fmt.Errorf("table %s has the key %v in the file and %v here", t.Name, t.Key, others[i].Key)
		}
	}
	return nil
}

// estimate is how many items the tables were believed to hold.
func (h Header) estimate() (n int64) {
	for _, t := range h.Tables {
		n += t.EstimatedItems
	}
	return n
}
