// Package like manages likes: adding, removing and listing them, and removing those that
// end with a follow, by a block or by a deletion.
//
// A user has at most one like of a post, and anonymous likes appear in no list but the
// liker's own.
package like

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/gather"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores likes.
type Store interface {
	// Add stores the like of a step with its counters, and e. It fails with Conflict if a
	// condition of the step no longer holds.
	Add(ctx context.Context, step social.LikeStep, e ...outbox.Record) error
	// AddAll stores likes of one post and the change of its owner's card. It returns an error
	// for each like, nil if it was stored. Those that fail with Conflict are left out.
	AddAll(ctx context.Context, steps []social.LikeStep, card social.CardChange) []error
	// Remove deletes a like, updates its counters, and stores e. It fails with Conflict if
	// the like is gone or has changed, or its post is gone, even if a newer one has its id.
	Remove(ctx context.Context, l social.Like, e ...outbox.Record) error
	// RemoveLeftovers deletes likes of a deleted post without updating counters. It leaves
	// those of a newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, likes []social.Like) error

	// OfPost returns all likes of a post, read consistently, in no particular order.
	OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.Like], error)
	// ByPost returns the likes of a post of one status, oldest first.
	ByPost(ctx context.Context, id social.PostID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error)
	// ByLiker returns a user's likes of one status, newest first.
	ByLiker(ctx context.Context, liker social.UserID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error)
	// OfLiker returns all likes by a user.
	OfLiker(ctx context.Context, liker social.UserID, q page.Query) (page.Page[social.Like], error)
	// OfOwner returns one user's likes of another's posts, in no particular order.
	OfOwner(ctx context.Context, liker, owner social.UserID, q page.Query) (page.Page[social.Like], error)
}

// Cards decides about the cards of owners of posts.
type Cards interface {
	// OneMoreLike returns the change of the card of a post's owner when the post is liked, and
	// whether nothing is left to do for it afterwards.
	OneMoreLike(ctx context.Context, owner *social.SeenUser, p *social.Post) (c social.CardChange, all bool, err error)
}

// Service implements the like area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Cards    Cards
	Posts    social.PostReader
	People   social.People
	Profiles social.ProfileReader
	// HotFrom is the number of likes of a post within a second from which they are stored
	// together; 0 means social.HotFrom.
	HotFrom int

	// hot gathers likes of hot posts; nil until the area is registered.
	hot *gather.Calls[social.PostID, given, error]
}
