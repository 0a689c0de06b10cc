package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// mostLikesTold is the number of likes of a post up to which its owner gets a card for
// each.
const mostLikesTold = 9

// PostLiked puts a card for the first likes of a post.
func (s *Service) PostLiked(ctx context.Context, e social.PostLiked, tell outbox.Tell) error {
	return s.postLikes(ctx, e.PostID, e.Owner, tell)
}

// PostDisliked also puts a card, as the number of likes has changed. When no like is left,
// the card stays.
func (s *Service) PostDisliked(ctx context.Context, e social.PostDisliked, tell outbox.Tell) error {
	return s.postLikes(ctx, e.PostID, e.Owner, tell)
}

func (s *Service) postLikes(ctx context.Context, id social.PostID, owner social.UserID, tell outbox.Tell) error {
	p, err := s.post(ctx, id, owner)
	if p == nil || err != nil || p.Status != social.PostCompleted { // likes of archived posts are removed without notice
		return err
	}
	if likes := p.OnymousLikeCount + p.AnonymousLikeCount; likes == 0 || likes > mostLikesTold {
		return nil
	}
	return s.Put(ctx, s.Catalogue.PostLikes(owner, id), tell)
}
