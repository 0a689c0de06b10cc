package place

import (
	"context"
	"sync"
	"time"

	"stoa/internal/kit/cache"
	"stoa/systems/archive"
)

// remembered is the lifetime of cached things that another process may have changed.
const remembered = 2 * time.Hour

// Limits of the caches: the memory of partitions of names, of which half a million takes 30
// MB, and the number and the approximate memory of words, of places and of texts, each.
const (
	maxPartitions     = 10_000
	maxPartitionBytes = 32 << 20
	maxKnown          = 50_000
	maxKnownBytes     = 6 << 20
)

// memory is a cache of the gazetteer. The zero value is ready to use.
type memory struct {
	mu    sync.Mutex
	state *state
	// loading is held while a partition is read.
	loading sync.Mutex
}

// state is the content of a memory since it was last emptied.
type state struct {
	until time.Time
	// partitions contains names by partition.
	partitions *cache.Cache[string, *partition]
	words      *cache.Cache[string, []archive.ID]
	places     *cache.Cache[archive.ID, *archive.Place]
	standards  *cache.Cache[[2]string, *archive.StandardPlace]
	// standardizer has the settings; nil until they are read.
	standardizer *archive.Standardizer
}

// now returns the content of the memory, emptied if it is too old.
func (m *memory) now(at time.Time) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state == nil || at.After(m.state.until) {
		m.state = &state{
			until:      at.Add(remembered),
			partitions: cache.New[string, *partition](maxPartitions, maxPartitionBytes),
			words:      cache.New[string, []archive.ID](maxKnown, maxKnownBytes),
			places:     cache.New[archive.ID, *archive.Place](maxKnown, maxKnownBytes),
			standards:  cache.New[[2]string, *archive.StandardPlace](maxKnown, maxKnownBytes),
		}
	}
	return m.state
}

// entryBytes is the approximate memory of something cached, without its texts and lists.
const entryBytes = 200

func wordBytes(word string, ids []archive.ID) int { return entryBytes + len(word) + 4*len(ids) }

// placeBytes returns the approximate memory of a place, which may be nil.
func placeBytes(p *archive.Place) int {
	if p == nil {
		return entryBytes
	}
	n := 2*entryBytes + len(p.Name) + len(p.FullName) + 4*len(p.AlsoLocatedInIDs)
	for _, texts := range [][]string{p.AltNames, p.Types} {
		for _, t := range texts {
			n += 16 + len(t)
		}
	}
	return n
}

// standardBytes returns the approximate memory of what a text stands for. Its place may be
// cached as well, or not anymore.
func standardBytes(text, within string, p *archive.StandardPlace) int {
	n := entryBytes + len(text) + len(within)
	if p != nil {
		n += entryBytes + len(p.Name) + len(p.FullName) + placeBytes(p.Place)
	}
	return n
}

// forget empties the memory. Reads in progress fill the old state, which is no longer used.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = nil
}

// gazetteer is an archive.Gazetteer that reads through a memory.
type gazetteer struct {
	*state
	store Store
}

func (g gazetteer) Words(ctx context.Context, words []string) (map[string][]archive.ID, error) {
	return through(ctx, g.words, words, wordBytes, g.store.Words)
}

func (g gazetteer) Places(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	weight := func(_ archive.ID, p *archive.Place) int { return placeBytes(p) }
	return through(ctx, g.places, ids, weight, g.store.Places)
}

// through reads keys that are not in a cache. It also caches that something does not exist.
func through[K comparable, V any](
	ctx context.Context,
	c *cache.Cache[K, V],
	keys []K,
	weight func(K, V) int,
	read func(context.Context, []K) (map[K]V, error),
) (map[K]V, error) {
	found := make(map[K]V, len(keys))
	var missing []K
	for _, k := range keys {
		if v, ok := c.Get(k); ok {
			found[k] = v
		} else {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	more, err := read(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, k := range missing {
		found[k] = more[k]
		c.Add(k, more[k], weight(k, more[k]))
	}
	return found, nil
}

// standard returns the place that a text stands for, or nil. Without settings it returns
// nil for any text.
func (m *memory) standard(ctx context.Context, store Store, text, within string, at time.Time) (*archive.StandardPlace, error) {
	s := m.now(at)
	if known, ok := s.standards.Get([2]string{text, within}); ok {
		return known, nil
	}
	z, err := m.standardizer(ctx, s, store)
	if z == nil || err != nil {
		return nil, err
	}
	p, err := z.Standardize(ctx, text, within)
	if err != nil {
		return nil, err
	}
	s.standards.Add([2]string{text, within}, p, standardBytes(text, within, p))
	return p, nil
}

func (m *memory) standardizer(ctx context.Context, s *state, store Store) (*archive.Standardizer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.standardizer != nil {
		return s.standardizer, nil
	}
	settings, err := store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	if settings == nil {
		settings = &archive.PlaceSettings{}
	}
	s.standardizer = archive.NewStandardizer(gazetteer{s, store}, settings)
	return s.standardizer, nil
}
