// Package view records who has viewed which posts, and shows owners their viewers.
//
// Recording a view requires no permission: clients report what they have displayed, and
// permissions are checked when posts are read.
package view

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/gather"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores views of posts.
type Store interface {
	// Facts returns those posts that exist, with the viewer's earlier views of each.
	Facts(ctx context.Context, viewer social.UserID, ids []social.PostID) (map[social.PostID]social.PostViewFacts, error)
	// Add stores steps of one viewer on distinct posts with their counters, and e. A view
	// by a post's owner also marks all its comments as viewed. It fails with Conflict if a
	// post is no longer viewable, or its viewers or the viewer's views have changed, and
	// with social.ErrTrendChanged if a trend has changed.
	Add(ctx context.Context, steps []social.PostViewStep, e ...outbox.Record) error
	// Gather stores an entry of the journal of views, and e.
	Gather(ctx context.Context, entry social.PostViewsGathered, e ...outbox.Record) error
	// Pending reports whether the views of an entry have yet to be counted.
	Pending(ctx context.Context, e social.PostViewsGathered) (bool, error)
	// GatheredFacts returns the facts of an entry.
	GatheredFacts(ctx context.Context, e social.PostViewsGathered) (social.GatheredFacts, error)
	// Settle stores what is to be done about a view of an entry of a post. It fails with
	// Conflict if something has changed.
	Settle(ctx context.Context, v social.GatheredView, do social.Stored, p *social.Post) error
	// Count counts the views of an entry, ends it, and stores e. It fails with Conflict if the
	// entry has ended or the post has changed, and with social.ErrTrendChanged if a trend has.
	Count(ctx context.Context, step social.GatheredStep, e ...outbox.Record) error
	// ByPost returns the views of a post, in the order of their first views.
	ByPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error)
	// OfPost returns the views of a post, read consistently, in no particular order.
	OfPost(ctx context.Context, id social.PostID, q page.Query) (page.Page[social.PostView], error)
	// RemoveLeftovers deletes views of a deleted post without updating counters. It leaves
	// those of a newer post with the same id.
	RemoveLeftovers(ctx context.Context, id social.PostID, views []social.PostView) error
	// ByViewer returns the views by a user, in the order of their first views.
	ByViewer(ctx context.Context, viewer social.UserID, q page.Query) (page.Page[social.PostView], error)
	// Forget deletes a view by a removed user, and updates the counters of the post and its
	// owner; p is nil if the post is gone. It fails with Conflict if the view or the post
	// has been replaced.
	Forget(ctx context.Context, v social.PostView, p *social.Post) error
}

// Trends reads trends.
type Trends interface {
	// Facts returns the owner of a post and the trends of both.
	Facts(ctx context.Context, post social.PostID, owner social.UserID) (social.TrendFacts, error)
}

// Cards knows the cards that a view ends.
type Cards interface {
	// Refer reports whether cards of a user refer to a post.
	Refer(ctx context.Context, id social.PostID, user social.UserID) (bool, error)
}

// Service implements the view area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Trends   Trends
	Cards    Cards
	Profiles social.ProfileReader
	// FollowedByAll is the user whose posts earn no trend.
	FollowedByAll social.FollowedByAll
	// HotFrom is the number of first views of a post within a second from which they are
	// gathered; 0 means social.HotFrom.
	HotFrom int

	// hot gathers views of hot posts; nil until the area is registered.
	hot *gather.Calls[social.PostID, gathered, error]
}
