package like

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/social"
)

// Like makes the caller like a post in the way that status says. The answer counts the
// like already.
func (s *Service) Like(ctx context.Context, c social.Caller, id social.PostID, status social.LikeStatus) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		p, err := s.post(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if err := p.CheckLike(c.User); err != nil {
			return nil, err
		}
		l := social.Like{
			PostID: id, LikedByUserID: c.UserID, PostedByUserID: p.PostedBy().UserID(),
			Status: status, LikedAt: s.dated(p),
		}
		return p.WithLike(status), s.Store.Add(ctx, l, p.FollowersOnly())
	})
}

// dated is the time of a new like of p. That of the process that took the post may be
// ahead of this one's, but no like comes before its post.
func (s *Service) dated(p *social.SeenPost) time.Time {
	now := s.Now().UTC().Truncate(time.Microsecond)
	if now.Before(p.PostedAt()) {
		return p.PostedAt()
	}
	return now
}

// Dislike takes the caller's like of a post back, of either kind. Nothing stands in the
// way of it: not a block, nor privacy, nor likes being off. So the answer shows the post
// also to somebody who would not see it otherwise.
func (s *Service) Dislike(ctx context.Context, c social.Caller, id social.PostID) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		p, err := s.post(ctx, c, id)
		if err != nil {
			return nil, err
		}
		if p.LikeStatus() == social.NotLiked {
			return nil, refusal.Invalidf("User has not liked post `%s`, thus cannot dislike it", id)
		}
		l := social.Like{PostID: id, LikedByUserID: c.UserID, PostedByUserID: p.PostedBy().UserID(), Status: p.LikeStatus(), LikedAt: p.LikedAt()}
		return p.WithLike(social.NotLiked), s.Store.Remove(ctx, l)
	})
}

// post reads a post with everything about it and the caller, whether or not they may
// see it.
func (s *Service) post(ctx context.Context, c social.Caller, id social.PostID) (*social.SeenPost, error) {
	missing := refusal.NotFoundf("Post `%s` does not exist", id)
	facts, err := s.Posts.Facts(ctx, c.UserID, []social.PostID{id}, social.LikeMark|social.ViewMark|social.FlagMark)
	if err != nil {
		return nil, err
	}
	f, found := facts[id]
	if !found {
		return nil, missing
	}
	users, err := s.People.Visible(ctx, c.Viewer, f.Post.Users(social.TaggedUsers), social.BothWays)
	if err != nil {
		return nil, err
	}
	p := f.See(users)
	if p == nil {
		return nil, missing
	}
	return p, nil
}
