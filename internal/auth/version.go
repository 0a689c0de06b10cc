package auth

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"stoa/internal/kit/viewer"
)

// versionMaxAge is how long tokens that were ended may still be accepted, and how often
// at most a user's version is read.
const versionMaxAge = 10 * time.Second

// Versions knows which tokens of a user have been ended.
type Versions interface {
	// TokenVersion is the least version of tokens that still count.
	TokenVersion(ctx context.Context, id viewer.UserID) (int, error)
}

// versionCache keeps the versions of callers at hand.
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
		panic(err) // only a size below one is refused
	}
	return &versionCache{source: source, now: now, known: known}
}

// of returns the least version of a user's tokens that still count, and when that was read.
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
