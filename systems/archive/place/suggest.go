package place

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"stoa/systems/archive"
)

// partition contains the places whose full names start with the same letters, by name.
type partition struct{ names []archive.PlaceName }

// suggest returns the best places for a prefix.
func (m *memory) suggest(ctx context.Context, prefix archive.PlacePrefix, count int, at time.Time, read func(ctx context.Context, partition string) ([]*archive.Place, error)) ([]*archive.Place, error) {
	s, key := m.now(at), archive.PlacePartition(prefix.First)
	p, known := s.partitions.Get(key)
	if !known {
		var err error
		if p, err = m.load(ctx, s, key, read); err != nil {
			return nil, err
		}
	}
	return p.best(prefix, count), nil
}

// load reads and caches a partition as a whole. A large one takes tens of megabytes and of
// milliseconds for each 10,000 places, so partitions are loaded one after another.
func (m *memory) load(ctx context.Context, s *state, key string, read func(ctx context.Context, partition string) ([]*archive.Place, error)) (*partition, error) {
	m.loading.Lock()
	defer m.loading.Unlock()
	if p, known := s.partitions.Get(key); known {
		return p, nil
	}
	places, err := read(ctx, key)
	if err != nil {
		return nil, err
	}
	p := newPartition(places)
	m.keep(s, key, p)
	return p, nil
}

// keep caches a partition, and evicts others if there are too many names.
func (m *memory) keep(s *state, key string, p *partition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.partitions.Add(key, p)
	s.names += len(p.names)
	for s.names > maxNames && s.partitions.Len() > 1 {
		if _, old, ok := s.partitions.RemoveOldest(); ok {
			s.names -= len(old.names)
		}
	}
}

func newPartition(places []*archive.Place) *partition {
	p := &partition{make([]archive.PlaceName, len(places))}
	for i, place := range places {
		p.names[i] = archive.PlaceName{Place: place, Lower: place.Lower()}
	}
	byName := func(a, b archive.PlaceName) int { return strings.Compare(a.Lower, b.Lower) }
	if !slices.IsSortedFunc(p.names, byName) { // the index has them in this order
		slices.SortFunc(p.names, byName)
	}
	return p
}

func (p *partition) best(prefix archive.PlacePrefix, count int) []*archive.Place {
	from := sort.Search(len(p.names), func(i int) bool { return p.names[i].Lower >= prefix.First })
	matching := func(yield func(archive.PlaceName) bool) {
		for _, n := range p.names[from:] {
			if !strings.HasPrefix(n.Lower, prefix.First) || prefix.Matches(n.Lower) && !yield(n) {
				return
			}
		}
	}
	shown := []*archive.Place{}
	for _, n := range archive.Best(matching, count) {
		shown = append(shown, n.Place)
	}
	return shown
}
