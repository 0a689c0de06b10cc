package place

import (
	"slices"
	"sort"
	"strings"
	"time"

	"stoa/systems/archive"
)

// partition contains the places whose full names start with the same letters, by name.
type partition struct {
	names  []archive.PlaceName
	places map[archive.ID]*archive.Place
}

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
	p := &partition{places: make(map[archive.ID]*archive.Place, len(places))}
	for _, place := range places {
		p.names = append(p.names, archive.PlaceName{ID: place.ID, Lower: place.Lower(), Count: place.Count})
		p.places[place.ID] = place
	}
	slices.SortFunc(p.names, func(a, b archive.PlaceName) int { return strings.Compare(a.Lower, b.Lower) })
	return p
}

func (p *partition) best(prefix archive.PlacePrefix, count int) []*archive.Place {
	from := sort.Search(len(p.names), func(i int) bool { return p.names[i].Lower >= prefix.First })
	var matching []archive.PlaceName
	for _, n := range p.names[from:] {
		if !strings.HasPrefix(n.Lower, prefix.First) {
			break
		}
		if prefix.Matches(n.Lower) {
			matching = append(matching, n)
		}
	}
	shown := []*archive.Place{}
	for _, n := range archive.Best(matching, count) {
		shown = append(shown, p.places[n.ID])
	}
	return shown
}
