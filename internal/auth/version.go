package auth

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/kit/viewer"
)

// versionMaxAge is how long revoked tokens may still be accepted, and the minimum interval
// of reads of a user's version.
const versionMaxAge = 10 * time.Second

// Versions reports revoked tokens.
type Versions interface {
	// TokenVersion returns the lowest valid version of a user's tokens.
	TokenVersion(ctx context.Context, id viewer.UserID) (int, error)
}

// versionCache caches the versions of callers.
type versionCache struct {
	source Versions
	now    func() time.Time
	known  *lru.Cache[viewer.UserID, knownVersion]
}

type knownVersion struct {
	version int
	readAt  time.Time
}

func newVersionCache(source Versions, now func() time.Time) *versionCache {
	known, err := lru.New[viewer.UserID, knownVersion](rememberedTokens)
	if err != nil {
		panic(err) // only fails for sizes below one
	}
	return &versionCache{source: source, now: now, known: known}
}

// of returns the lowest valid version of a user's tokens, and when it was read.
func (c *versionCache) of(ctx context.Context, id viewer.UserID) (least int, readAt time.Time, err error) {
	now := c.now()
	if c.source == nil {
		return 0, now, nil
	}
	v, ok := c.known.Get(id)
	if !ok || now.Sub(v.readAt) >= versionMaxAge {
		version, err := c.source.TokenVersion(ctx, id)
		if err != nil {
			return 0, time.Time{}, err
		}
		v = knownVersion{version, now}
		c.known.Add(id, v)
	}
	return v.version, v.readAt, nil
}
