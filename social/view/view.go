// Package view records who has viewed which posts, and shows owners their viewers.
//
// Recording a view requires no permission: clients report what they have displayed, and
// permissions are checked when posts are read.
package view

import (
	"context"

	"stoa/internal/decision"
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

// Service implements the view area. All fields are required.
type Service struct {
	decision.Frame
	Store    Store
	Trends   Trends
	Profiles social.ProfileReader
	// FollowedByAll is the user whose posts earn no trend.
	FollowedByAll social.FollowedByAll
}
