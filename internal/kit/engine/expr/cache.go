package expr

import "sync"

// generation is the minimum number of bytes of cached expressions. Programs have a few
// hundred expressions; the limit is for those that generate them from data.
const generation = 256 << 10

// cache caches parsed expressions. It has two generations: used entries move to the young
// one, and when that is full the old one is dropped, which approximates LRU without a list.
type cache struct {
	mu         sync.RWMutex
	young, old map[cacheKey]*tree
	size       int // bytes of the texts in young
}

type cacheKey struct {
	kind kind
	text string
}

var parsed = cache{young: map[cacheKey]*tree{}}

// get returns the tree of an expression, parsing it if it is not cached. Invalid
// expressions are not cached.
func (c *cache) get(k kind, text string) (*tree, error) {
	key := cacheKey{k, text}
	c.mu.RLock()
	t, ok := c.young[key]
	c.mu.RUnlock()
	if ok {
		return t, nil
	}
	c.mu.Lock()
	t, ok = c.old[key]
	c.mu.Unlock()
	if !ok {
		var err error
		if t, err = parse(k, text); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size+len(text) > generation {
		c.young, c.old, c.size = map[cacheKey]*tree{}, c.young, 0
	}
	if c.young[key] == nil {
		c.size += len(text)
	}
	c.young[key] = t
	return t, nil
}
