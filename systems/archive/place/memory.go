package place

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/systems/archive"
)

// remembered is the lifetime of cached things that another process may have changed.
const remembered = 2 * time.Hour

// Sizes of the caches of partitions of names, and of words, places and texts.
const (
	maxPartitions = 2_000
	maxNames      = 1_000_000
	maxKnown      = 50_000
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
	// partitions contains names by partition, names their total number.
	partitions *lru.Cache[string, *partition]
	names      int
	words      *lru.Cache[string, []archive.ID]
	places     *lru.Cache[archive.ID, *archive.Place]
	standards  *lru.Cache[[2]string, *archive.StandardPlace]
	// standardizer has the settings; nil until they are read.
	standardizer *archive.Standardizer
}

// now returns the content of the memory, emptied if it is too old.
func (m *memory) now(at time.Time) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state == nil || at.After(m.state.until) {
		m.state = &state{
			until: at.Add(remembered), partitions: cache[string, *partition](maxPartitions), words: cache[string, []archive.ID](maxKnown),
			places: cache[archive.ID, *archive.Place](maxKnown), standards: cache[[2]string, *archive.StandardPlace](maxKnown),
		}
	}
	return m.state
}

// cache returns a cache. Its size is valid, so there is no error.
func cache[K comparable, V any](size int) *lru.Cache[K, V] {
	c, _ := lru.New[K, V](size)
	return c
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
	return through(ctx, g.words, words, g.store.Words)
}

func (g gazetteer) Places(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Place, error) {
	return through(ctx, g.places, ids, g.store.Places)
}

// through reads keys that are not in a cache. It also caches that something does not exist.
func through[K comparable, V any](ctx context.Context, c *lru.Cache[K, V], keys []K, read func(context.Context, []K) (map[K]V, error)) (map[K]V, error) {
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
		c.Add(k, more[k])
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
	s.standards.Add([2]string{text, within}, p)
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
