package comment

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Delete deletes a comment by the caller, or on a post of the caller, even if comments are
// disabled. It returns the comment as it was, with the details in d, or nil if its author
// is gone.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.CommentID, d social.Detail) (*social.SeenComment, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenComment, error) {
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
		r, err := s.removal(ctx, f.Comment, on)
		if err != nil {
			return nil, err
		}
		users, err := c.With(ctx, s.People, f.Users(), d)
		if err != nil {
			return nil, err
		}
		return f.On(on).See(users), s.Store.Remove(ctx, r, a.Emit(r.Event())...)
	})
}

// find reads a comment with the details in d, and its post with those in on.
func (s *Service) find(
	ctx context.Context, viewer social.UserID, id social.CommentID, d, on social.Detail,
) (f social.CommentFacts, p social.PostFacts, found bool, err error) {
	f, found, err = s.Store.Find(ctx, viewer, id, d)
	if err != nil || !found || f.Comment.HiddenFrom(viewer) {
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

// removal returns the removal of a comment on a post. It reads when the owner last viewed
// the post, unless the owner is the viewer, whose marks are known, or the author, for whom
// the time does not matter.
func (s *Service) removal(ctx context.Context, c *social.Comment, on social.PostFacts) (r social.CommentRemoval, err error) {
	viewedAt := on.Marks.LastViewedAt
	if owner := on.Post.PostedByUserID; owner != on.Viewer && owner != c.UserID {
		if viewedAt, err = s.Store.ViewedAt(ctx, owner, on.Post.PostID); err != nil {
			return r, err
		}
	}
	return social.CommentRemoval{Comment: c, Post: on.Post, Unviewed: c.CountsAsUnviewed(on.Post, viewedAt)}, nil
}
