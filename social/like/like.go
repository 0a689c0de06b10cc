// Package like owns who likes which post: giving likes, taking them back, listing them,
// and removing those that the end of a follow, a block or a deletion takes along.
//
// A user likes a post in one way at a time, and who likes anonymously shows in no list
// but their own.
package like

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps likes.
type Store interface {
	// Add stores the like of a step with what it counts, and e. It fails with Conflict when
	// what the step was decided on no longer holds.
	Add(ctx context.Context, step social.LikeStep, e ...outbox.Record) error
	// Remove removes a like with what it counted, and stores e. It fails with Conflict when it is gone
	// or another, or its post is gone, also if a newer one has its id.
	Remove(ctx context.Context, l social.Like, e ...outbox.Record) error
	// RemoveLeftovers removes likes of a post that is gone, uncounted. It leaves those of
	// a newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, likes []social.Like) error

	// OfPost returns all likes of a post as they are at this moment, in no useful order.
	OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.Like], error)
	// ByPost returns likes of one status, first like first.
	ByPost(ctx context.Context, id social.PostID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error)
	// ByLiker returns likes of one status, latest like first.
	ByLiker(ctx context.Context, liker social.UserID, status social.LikeStatus, q page.Query) (page.Page[social.Like], error)
	// OfLiker returns all likes that a user gave.
	OfLiker(ctx context.Context, liker social.UserID, q page.Query) (page.Page[social.Like], error)
	// Between returns the likes of one user on posts of another, in no useful order.
	Between(ctx context.Context, liker, owner social.UserID, q page.Query) (page.Page[social.Like], error)
}

// Service decides about likes. All fields must be set.
type Service struct {
	Store  Store
	Posts  social.PostReader
	People social.People
	Events outbox.Sender
}
