// Package view records who has viewed which posts, and shows owners their viewers.
//
// Access is not asked for a view: clients report what they have shown, and what they may
// show is decided where it is read.
package view

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps views of posts.
type Store interface {
	// Facts returns the posts among ids that exist, with how the viewer has viewed each.
	Facts(ctx context.Context, viewer social.UserID, ids []social.PostID) (map[social.PostID]social.PostViewFacts, error)
	// Add stores steps of one viewer on different posts with what they count, and e. A view
	// by a post's owner also makes all its comments viewed. It fails with Conflict when a
	// post is not viewable any more, or its viewers or the viewer's views are not as they
	// were. With trends that are not as they were it fails with social.TrendMoved.
	Add(ctx context.Context, steps []social.PostViewStep, e ...outbox.Record) error
	// ByPost returns the views of a post, first view first.
	ByPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error)
	// OfPost returns the views of a post as they are at this moment, in no useful order.
	OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error)
	// RemoveLeftovers removes views of a post that is gone, uncounted. It leaves those of a
	// newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, views []social.PostView) error
	// ByViewer returns the views of a user, first view first.
	ByViewer(ctx context.Context, viewer social.UserID, q page.Query) (page.Page[social.PostView], error)
	// Forget removes a view of somebody who was removed, with what it counts for the post
	// and its owner; p is nil when the post is gone. It fails with Conflict when the view or
	// the post are others by now.
	Forget(ctx context.Context, v social.PostView, p *social.Post) error
}

// Trends knows what trends.
type Trends interface {
	// Facts returns the owner of a post with the trends of both.
	Facts(ctx context.Context, post social.PostID, owner social.UserID) (social.TrendFacts, error)
}

// Service decides about views. All fields must be set.
type Service struct {
	Store  Store
	Trends Trends
	Events outbox.Sender
}
