package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// mostLikesTold is how many likes a post may have for its owner to hear of a further one.
const mostLikesTold = 9

// PostLiked tells owners of the first likes of a post.
func (s *Service) PostLiked(ctx context.Context, e social.PostLiked, tell outbox.Tell) error {
	return s.postLikes(ctx, e.PostID, e.Owner, tell)
}

// PostDisliked tells owners of the likes that are left, too: what counts is that their
// number changed. With the last of them the card stays.
func (s *Service) PostDisliked(ctx context.Context, e social.PostDisliked, tell outbox.Tell) error {
	return s.postLikes(ctx, e.PostID, e.Owner, tell)
}

func (s *Service) postLikes(ctx context.Context, id social.PostID, owner social.UserID, tell outbox.Tell) error {
	p, err := s.post(ctx, id, owner)
	if p == nil || err != nil || p.Status != social.PostCompleted { // likes go with posts that are archived: no news
		return err
	}
	if likes := p.OnymousLikeCount + p.AnonymousLikeCount; likes == 0 || likes > mostLikesTold {
		return nil
	}
	return s.Put(ctx, s.Catalogue.PostLikes(owner, id), tell)
}
