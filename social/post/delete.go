package post

import (
	"context"

	"stoa/internal/kit/retry"
	"stoa/social"
)

// Delete removes a post of the caller, in whatever status it is. Its likes, its comments
// and its places in feeds follow by the event.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return retry.OnConflict(func() (*social.SeenPost, error) {
		f, err := s.own(ctx, c, id, "delete", d)
		if err != nil {
			return nil, err
		}
		answer, err := s.show(ctx, c, f.Deleting(), d)
		if err != nil {
			return nil, err
		}
		e := s.Events.New(ctx, social.PostMoved{PostID: id, UserID: c.UserID, From: f.Post.Status, To: social.PostDeleting, At: s.Events.Now()})
		if err := s.Store.Delete(ctx, f.Post, e...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e...)
		return answer, nil
	})
}
