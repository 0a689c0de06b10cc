package like

import (
	"context"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Like makes the caller like a post in the way that status says. The answer counts the
// like already, and shows the details that d asks for.
func (s *Service) Like(ctx context.Context, c social.Caller, id social.PostID, status social.LikeStatus, d social.Detail) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		f, users, err := s.post(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		step, err := f.Like(f.Owner(users), c.User, status, s.Events.Now())
		if err != nil {
			return nil, err
		}
		if step.Former != nil {
			if err := s.remove(ctx, *step.Former); err != nil {
				return nil, err
			}
		}
		e := s.Events.New(ctx, social.PostLiked{PostID: id, Owner: step.Like.PostedByUserID, Liker: c.UserID, Status: status})
		if err := s.Store.Add(ctx, step, e...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e...)
		return f.Liked(status).See(users), nil
	})
}

// Dislike takes the caller's like of a post back, of either kind. Nothing stands in the
// way of it: not a block, nor privacy, nor likes being off. The answer is nil for a
// caller who does not see the post any more.
func (s *Service) Dislike(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		f, users, err := s.post(ctx, c, id, d)
		if err != nil {
			return nil, err
		}
		l, err := f.GivenLike(c.User)
		if err != nil {
			return nil, err
		}
		return f.Liked(social.NotLiked).See(users), s.remove(ctx, l)
	})
}

// post reads a post, whose owner exists, and whom its reader meets: with the details that
// d asks for and those that decide about likes, whether or not the caller may see it.
func (s *Service) post(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (f social.PostFacts, users social.SeenUsers, err error) {
	missing := refusal.NotFoundf("Post `%s` does not exist", id)
	facts, err := s.Posts.Facts(ctx, c.UserID, []social.PostID{id}, d|social.LikeMark)
	if err != nil {
		return f, nil, err
	}
	f, found := facts[id]
	if !found {
		return f, nil, missing
	}
	users, err = s.People.Visible(ctx, c.Viewer, f.Users(), d|social.BlockedTie)
	if err != nil {
		return f, nil, err
	}
	if f.Owner(users) == nil {
		return f, nil, missing
	}
	return f, users, nil
}
