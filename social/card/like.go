package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// mostLikesTold is how many likes a post may have for its owner to hear of a further one.
const mostLikesTold = 9

// PostLiked tells owners of the first likes of a post. A falling number is no news.
func (s *Service) PostLiked(ctx context.Context, e social.PostLiked, tell outbox.Tell) error {
	p, err := s.post(ctx, e.PostID, e.Owner)
	if p == nil || err != nil {
		return err
	}
	if likes := p.OnymousLikeCount + p.AnonymousLikeCount; likes == 0 || likes > mostLikesTold {
		return nil
	}
	return s.Put(ctx, s.Catalogue.PostLikes(e.Owner, e.PostID), tell)
}
