package post

import (
	"context"

	"stoa/internal/kit/retry"
	"stoa/social"
)

// Delete removes a post of the caller, in whatever status it is. The post and its likes
// are gone when it returns; its comments and its places in feeds follow by the event.
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
		e := s.moved(f.Post, f.Post.Status, social.PostDeleting, s.now())
		if err := s.Store.Delete(ctx, f.Post, e); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e)
		// The post is gone whatever becomes of this: its event has the likes removed
		// again, so a failure here is late, not lost, and no failure of the deletion.
		_ = s.Likes.RemoveOfPost(ctx, id)
		return answer, nil
	})
}
