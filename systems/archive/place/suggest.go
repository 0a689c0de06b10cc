package place

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strings"
	"time"

	"stoa/systems/archive"
)

// partition contains the names of the places whose full names start with the same letters, in
// order. Without the places, it takes a tenth of their memory, and has no pointers for the
// garbage collector to follow.
type partition struct {
	text  string // the names, one after another
	names []name
}

// name is a name that ends at an offset in the text, where the next one starts.
type name struct {
	end   int32
	id    archive.ID
	count int
}

// nameBytes is the memory of a name without its text.
const nameBytes = 16

func (p *partition) weight() int { return nameBytes*cap(p.names) + len(p.text) }

// suggest returns the best places for a prefix.
func (m *memory) suggest(ctx context.Context, prefix archive.PlacePrefix, count int, at time.Time, store Store) ([]*archive.Place, error) {
	s, key := m.now(at), archive.PlacePartition(prefix.First)
	best, err := m.best(ctx, s, key, prefix, count, store)
	if err != nil {
		return nil, err
	}
	return s.placesOf(ctx, key, best, store)
}

// best returns the names of the best places for a prefix, which are in a partition.
func (m *memory) best(ctx context.Context, s *state, key string, prefix archive.PlacePrefix, count int, store Store) ([]archive.PlaceName, error) {
	if p, known := s.partitions.Get(key); known {
		return archive.Best(p.matching(prefix), count), nil
	}
	m.loading.Lock()
	defer m.loading.Unlock()
	if p, known := s.partitions.Get(key); known {
		return archive.Best(p.matching(prefix), count), nil
	}
	return s.load(ctx, key, prefix, count, store)
}

// load reads and caches a partition as a whole, and returns its best names for a prefix, with
// their places. A large one takes tens of milliseconds for each 10,000 places, so partitions
// are loaded one after another.
func (s *state) load(ctx context.Context, key string, prefix archive.PlacePrefix, count int, store Store) ([]archive.PlaceName, error) {
	p := &partition{}
	var text []byte
	var err error
	best := archive.Best(func(yield func(archive.PlaceName) bool) {
		err = store.Beginning(ctx, key, func(place *archive.Place) {
			n := place.Named()
			text = append(text, n.Lower...)
			p.names = append(p.names, name{int32(len(text)), n.ID, n.Count})
			if strings.HasPrefix(n.Lower, prefix.First) && prefix.Matches(n.Lower) {
				yield(n) // reads all
			}
		})
	}, count)
	if err != nil {
		return nil, err
	}
	p.text, p.names = string(text), slices.Clone(p.names) // without spare capacity
	s.partitions.Add(key, p, p.weight())
	return best, nil
}

// at returns the i-th name.
func (p *partition) at(i int) archive.PlaceName {
	from, n := int32(0), p.names[i]
	if i > 0 {
		from = p.names[i-1].end
	}
	return archive.PlaceName{ID: n.id, Count: n.count, Lower: p.text[from:n.end]}
}

// matching yields the names that match a prefix.
func (p *partition) matching(prefix archive.PlacePrefix) iter.Seq[archive.PlaceName] {
	return func(yield func(archive.PlaceName) bool) {
		for i := sort.Search(len(p.names), func(i int) bool { return p.at(i).Lower >= prefix.First }); i < len(p.names); i++ {
			n := p.at(i)
			if !strings.HasPrefix(n.Lower, prefix.First) || prefix.Matches(n.Lower) && !yield(n) {
				return
			}
		}
	}
}

// placesOf returns the places with some names of a partition. It reads those that are neither
// cached nor given, in one call, and omits those that have ceased to exist.
func (s *state) placesOf(ctx context.Context, partition string, names []archive.PlaceName, store Store) ([]*archive.Place, error) {
	var missing []archive.ID
	for i, n := range names {
		if n.Place != nil {
			s.places.Add(n.ID, n.Place, placeBytes(n.Place))
		} else if known, _ := s.places.Get(n.ID); known != nil {
			names[i].Place = known
		} else {
			missing = append(missing, n.ID)
		}
	}
	found := map[archive.ID]*archive.Place{}
	if len(missing) > 0 {
		var err error
		if found, err = store.InPartition(ctx, partition, missing); err != nil {
			return nil, err
		}
	}
	shown := []*archive.Place{}
	for _, n := range names {
		place := n.Place
		if place == nil {
			if place = found[n.ID]; place == nil {
				continue
			}
			s.places.Add(n.ID, place, placeBytes(place))
		}
		shown = append(shown, place)
	}
	return shown, nil
}
