package record

import (
	"context"
	"errors"
	"io"
	"time"

	"stoa/internal/kit/slice"
	"stoa/systems/archive"
)

// block contains records that are written together, and the households that they form.
type block struct {
	collection *archive.Collection
	post       archive.ID
	now        time.Time
	records    []*archive.Record
	// lists are record ids by household number, in the order of the file.
	lists   map[string][]archive.ID
	numbers []string
	// size is the approximate memory of the records.
	size int
	// last is set if the file has no further rows.
	last bool
}

func newBlock(c *archive.Collection, post archive.ID, now time.Time) *block {
	return &block{collection: c, post: post, now: now, lists: map[string][]archive.ID{}}
}

func (b *block) add(id archive.ID, data map[string]string) {
	r := archive.NewRecord(id, b.post, data, b.now)
	if n := b.collection.HouseholdOf(data); n != "" {
		r.Household = n
		if b.lists[n] == nil {
			b.numbers = append(b.numbers, n)
		}
		b.lists[n] = append(b.lists[n], id)
	}
	b.records = append(b.records, r)
}

// households returns the households of the block alone.
func (b *block) households() []*archive.Household {
	all := slice.Map(b.numbers, func(n string) *archive.Household {
		return archive.HouseholdRef{PostID: b.post, Number: n}.Listing(nil, b.lists[n], b.now)
	})
	return all
}

// readInto replaces the records of a block with the next ones of its file. The households
// of the block keep listing the earlier records.
func (s *Service) readInto(ctx context.Context, b *block, r *archive.CSV, p *progress) error {
	b.records, b.size = nil, 0
	for len(b.records) < blockRows && b.size < blockBytes {
		data, err := r.Next()
		if errors.Is(err, io.EOF) {
			b.last = true
			break
		}
		if err != nil {
			return err
		}
		if err := b.collection.Standardize(ctx, s.Places, data); err != nil {
			return err
		}
		for header, value := range data {
			b.size += valueBytes + len(header) + len(value)
		}
		b.add(p.First+archive.ID(len(b.records)), data)
	}
	return nil
}
