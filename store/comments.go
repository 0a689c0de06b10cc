package store

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Comments stores comments, and the counters of their posts and authors.
type Comments struct{ concurrent }

// commentDetails are the details that Facts reads. The users mentioned in a text are in the
// comment's own row.
var commentDetails = social.FlagMark | social.ViewMark | social.TaggedUsers

// Find returns a comment if it exists, with the details in d, in one batch. The time of the
// viewer's last view of its post is not included, because the post is not known in advance.
func (s *Comments) Find(ctx context.Context, viewer social.UserID, id social.CommentID, d social.Detail) (f social.CommentFacts, found bool, err error) {
	b := s.db.NewBatch()
	comment := comments.Fetch(b, commentKey(id))
	flagged := fetchMarks(b, commentFlags, d.Has(social.FlagMark), []social.CommentID{id}, viewer)
	if err := b.Run(ctx); err != nil || comment.At(0) == nil {
		return f, false, err
	}
	f = social.CommentFacts{Viewer: viewer, Read: d & commentDetails &^ social.ViewMark, Comment: comment.At(0)}
	f.Flagged, f.FlaggedAt = flaggedSince(flagged.at(0), f.Comment.CommentedAt)
	return f, true, nil
}

// Comment returns a comment, or nil if it does not exist.
func (s *Comments) Comment(ctx context.Context, id social.CommentID) (*social.Comment, error) {
	return comments.Get(ctx, s.db, commentKey(id))
}

// ByPost returns the comments on a post from A1, in either order of creation.
func (s *Comments) ByPost(ctx context.Context, id social.PostID, q page.Query, reverse bool) (page.Page[*social.Comment], error) {
	return stored.List(ctx, s.db, comments.Begins(A1, string(id)), q, reverse, stored.Same)
}

// ByUser returns the comments of a user, oldest first, from A2.
func (s *Comments) ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Comment], error) {
	return stored.List(ctx, s.db, comments.Begins(A2, string(user)), q, false, stored.Same)
}

// Facts returns the facts of comments on a post, with the details in d. It makes at most
// one batch request.
func (s *Comments) Facts(ctx context.Context, viewer social.UserID, post social.PostID, on []*social.Comment, d social.Detail) ([]social.CommentFacts, error) {
	ids := slice.Map(on, func(c *social.Comment) social.CommentID { return c.CommentID })
	b := s.db.NewBatch()
	flagged := fetchMarks(b, commentFlags, d.Has(social.FlagMark), ids, viewer)
	views := fetchMarks(b, postViews, d.Has(social.ViewMark), []social.PostID{post}, viewer)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var viewedAt time.Time
	if view := views.at(0); view != nil {
		viewedAt = view.LastViewedAt
	}
	facts := make([]social.CommentFacts, len(on))
	for i, c := range on {
		facts[i] = social.CommentFacts{
			Viewer: viewer, Read: d & commentDetails,
			Comment: c, PostViewedAt: viewedAt,
		}
		facts[i].Flagged, facts[i].FlaggedAt = flaggedSince(flagged.at(i), c.CommentedAt)
	}
	return facts, nil
}

// ViewedAt returns when a user last viewed a post, or the zero time if never.
func (s *Comments) ViewedAt(ctx context.Context, user social.UserID, post social.PostID) (time.Time, error) {
	view, err := postViews.Get(ctx, s.db, postViews.Key(string(post), string(user)))
	if view == nil || err != nil {
		return time.Time{}, err
	}
	return view.LastViewedAt, nil
}
