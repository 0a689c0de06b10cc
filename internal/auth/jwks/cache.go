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
	// keysMaxAge is how long a withdrawn key may still be found.
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

	known atomic.Pointer[keySet]
	// reads is the number of reads that have ended.
	reads atomic.Int64

	// reading is locked during a read and guards the fields below.
	reading sync.Mutex
	// failure is the error of the last read, which ended at failedAt; nil if it succeeded.
	failure  error
	failedAt time.Time
}

type keySet struct {
	keys   map[string]crypto.PublicKey
	readAt time.Time
}

// NewCache returns an empty Cache.
func NewCache(source Source, now func() time.Time) *Cache { return &Cache{source: source, now: now} }

// Find returns the key with an id, or nil if the issuer has none.
func (c *Cache) Find(ctx context.Context, id string) (crypto.PublicKey, error) {
	reads := c.reads.Load()
	key, enough := c.answer(c.known.Load(), id)
	if enough {
		return key, nil
	}
	if !c.reading.TryLock() {
		if key != nil {
			return key, nil // another goroutine is renewing it
		}
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	// Another goroutine may have read the keys meanwhile.
	set := c.known.Load()
	if key, enough = c.answer(set, id); enough {
		return key, nil
	}
	failedMeanwhile := c.failure != nil && c.reads.Load() != reads
	failedLately := c.failure != nil && set != nil && c.now().Sub(c.failedAt) < keysMinAge
	if !failedMeanwhile && !failedLately {
		if set, c.failure = c.read(ctx); c.failure == nil {
			c.known.Store(set)
			return set.key(id), nil
		}
		c.failedAt = c.now()
	}
	if key != nil {
		return key, nil // an unreachable issuer must not lock anybody out
	}
	return nil, c.failure
}

// answer looks up a key in set and reports whether the result can be used without asking
// the source. A key that is too old is returned nevertheless.
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
	defer c.reads.Add(1)
	keys, err := c.source.PublicKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("fetch the keys that verify tokens: %w", err)
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
