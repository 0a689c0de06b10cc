// Package jwks finds the public keys of token signatures by id, in a cached source or at an
// issuer's published address.
package jwks

import (
	"context"
	"crypto"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// keysMaxAge is how long a withdrawn key may still be accepted.
	keysMaxAge = 15 * time.Minute
	// keysMinAge is the minimum interval of reads caused by tokens with unknown key ids. It
	// is also the longest time for which a new key may remain unknown.
	keysMinAge = 2 * time.Second
	// keysTimeout is the timeout of one read of the keys.
	keysTimeout = 5 * time.Second
)

// Source provides the public keys of token signatures.
type Source interface {
	// PublicKeys returns all keys that may have valid tokens, by key id.
	PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error)
}

// Cache caches the keys of a source. An unknown key id triggers a read, so rotations need
// not be announced. It is safe for concurrent use.
type Cache struct {
	source Source
	now    func() time.Time

	known   atomic.Pointer[keySet]
	reading sync.Mutex
}

type keySet struct {
	keys   map[string]crypto.PublicKey
	readAt time.Time
}

// NewCache returns an empty Cache.
func NewCache(source Source, now func() time.Time) *Cache { return &Cache{source: source, now: now} }

// Find returns the key with an id, or nil if the issuer has none.
func (c *Cache) Find(ctx context.Context, id string) (crypto.PublicKey, error) {
	set := c.known.Load()
	if key, enough := c.answer(set, id); enough {
		return key, nil
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if other := c.known.Load(); other != set {
		set = other // another goroutine has read the keys meanwhile
		if key, enough := c.answer(set, id); enough {
			return key, nil
		}
	}
	read, err := c.read(ctx)
	if err == nil {
		c.known.Store(read)
		return read.key(id), nil
	}
	if set != nil && set.key(id) != nil {
		return set.key(id), nil // an unreachable issuer must not lock anybody out
	}
	return nil, err
}

// answer looks up a key in set and reports whether the result can be used without asking
// the source.
func (c *Cache) answer(set *keySet, id string) (key crypto.PublicKey, enough bool) {
	if set == nil {
		return nil, false
	}
	key = set.key(id)
	age := c.now().Sub(set.readAt)
	if key != nil {
		return key, age < keysMaxAge
	}
	return nil, age < keysMinAge
}

// read is independent of the request that triggered it, since others wait for the result.
func (c *Cache) read(ctx context.Context) (*keySet, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	keys, err := c.source.PublicKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the keys that tokens are checked with: %w", err)
	}
	return &keySet{keys: keys, readAt: c.now()}, nil
}

// key returns a key by id. A token may omit its key id if there is only one key.
func (s *keySet) key(id string) crypto.PublicKey {
	if id == "" && len(s.keys) == 1 {
		for _, only := range s.keys {
			return only
		}
	}
	return s.keys[id]
}
