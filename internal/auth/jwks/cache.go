// Package jwks finds the public keys that tokens are signed with: by their ids, in a
// source that is asked no more often than needed, or at the address where an issuer
// publishes them.
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
	// keysMaxAge is how long a key that its issuer has withdrawn may still be
	// accepted.
	keysMaxAge = 15 * time.Minute
	// keysMinAge bounds how often tokens with invented key ids make us ask the
	// issuer. It is also how long a new key may go unnoticed in the worst case.
	keysMinAge = 2 * time.Second
	// keysTimeout bounds one read of the keys.
	keysTimeout = 5 * time.Second
)

// Source knows the public keys that tokens are signed with.
type Source interface {
	// PublicKeys returns every key whose tokens may be alive, by key id.
	PublicKeys(ctx context.Context) (map[string]crypto.PublicKey, error)
}

// Cache keeps the keys of a source at hand. A key it does not know makes it look once,
// so a rotation needs no announcement. It is safe for concurrent use.
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

// NewCache returns a Cache. It asks the source for nothing yet.
func NewCache(source Source, now func() time.Time) *Cache { return &Cache{source: source, now: now} }

// Find returns the key of that id, or nil if the issuer has none.
func (c *Cache) Find(ctx context.Context, id string) (crypto.PublicKey, error) {
	set := c.known.Load()
	if key, enough := c.answer(set, id); enough {
		return key, nil
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if other := c.known.Load(); other != set {
		set = other // somebody else has read while we waited
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
		return set.key(id), nil // an unreachable issuer locks nobody out
	}
	return nil, err
}

// answer looks into set and reports whether its answer can be taken without
// asking the source.
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

// read outlives the request that happened to ask first, since others wait for it.
func (c *Cache) read(ctx context.Context) (*keySet, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keysTimeout)
	defer cancel()
	keys, err := c.source.PublicKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the keys that tokens are checked with: %w", err)
	}
	return &keySet{keys: keys, readAt: c.now()}, nil
}

// key finds a key by id. A token may leave its key id out when there is no choice.
func (s *keySet) key(id string) crypto.PublicKey {
	if id == "" && len(s.keys) == 1 {
		for _, only := range s.keys {
			return only
		}
	}
	return s.keys[id]
}
