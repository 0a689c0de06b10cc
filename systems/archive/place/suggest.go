package place

import (
	"slices"
	"sort"
	"strings"
	"time"

	"stoa/systems/archive"
)

// partition contains the places whose full names start with the same letters, by name.
type partition struct{ names []archive.PlaceName }

// suggest returns the best places for a prefix. A partition that is not cached is read as a
// whole.
func (m *memory) suggest(prefix archive.PlacePrefix, count int, at time.Time, read func(partition string) ([]*archive.Place, error)) ([]*archive.Place, error) {
	s := m.now(at)
	key := archive.PlacePartition(prefix.First)
	p, known := s.partitions.Get(key)
	if !known {
		places, err := read(key)
		if err != nil {
			return nil, err
		}
		p = newPartition(places)
		m.keep(s, key, p)
	}
	return p.best(prefix, count), nil
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
