package comment

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Delete deletes a comment by the caller, or on a post of the caller, even if comments are
// disabled. It returns the comment as it was, with the details in d, or nil if its author
// is gone.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error) {
	return retry.OnConflict(func() (*social.SeenComment, error) {
		f, on, found, err := s.find(ctx, c.UserID, id, d, social.ViewMark)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, missingComment(id)
		}
		if err := f.Comment.CheckRemoval(c.UserID, on.Post); err != nil {
			return nil, err
		}
		viewedAt, err := s.ownerViewedAt(ctx, c, f.Comment, on)
		if err != nil {
			return nil, err
		}
		users, err := c.With(ctx, s.People, f.Users(), d)
		if err != nil {
			return nil, err
		}
		r := social.CommentRemoval{Comment: f.Comment, Post: on.Post, Unviewed: f.Comment.CountsAsUnviewed(on.Post, viewedAt)}
		e := s.New(ctx, r.Event())
		if err := s.Store.Remove(ctx, r, e...); err != nil {
			return nil, err
		}
		s.Committed(ctx, e...)
		return f.On(on).See(users), nil
	})
}

// find reads a comment with the details in d, and its post with those in on.
func (s *Service) find(ctx context.Context, viewer social.UserID, id social.CommentID, d, on social.Detail) (f social.CommentFacts, p social.PostFacts, found bool, err error) {
	f, found, err = s.Store.Find(ctx, viewer, id, d)
	if err != nil || !found {
		return f, p, false, err
	}
	p, found, err = s.post(ctx, viewer, f.Comment.PostID, on)
	if err != nil || !found || f.Comment.Outlives(p.Post.PostedAt) {
		return f, p, false, err
	}
	return f, p, true, nil
}

func missingComment(id social.CommentID) error {
	return refusal.NotFoundf("No comment with id `%s` found", id)
}

// ownerViewedAt returns when the owner of a post last viewed it. It reads nothing if the
// owner is the caller, whose marks are known, or the author, for whom the time does not
// matter.
func (s *Service) ownerViewedAt(ctx context.Context, c social.Caller, comment *social.Comment, on social.PostFacts) (time.Time, error) {
	switch owner := on.Post.PostedByUserID; owner {
	case c.UserID, comment.UserID:
		return on.Marks.LastViewedAt, nil
	default:
		return s.Store.ViewedAt(ctx, owner, on.Post.PostID)
	}
}
