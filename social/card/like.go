package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// OneMoreLike returns the change of the card of a post's owner when the post is liked, and
// whether nothing is left to do for it afterwards: a card of a former profile is replaced by
// the receiver of the event.
func (s *Service) OneMoreLike(ctx context.Context, owner *social.SeenUser, p *social.Post) (c social.CardChange, all bool, err error) {
	n := s.Catalogue.PostLikes(p.PostedByUserID, p.PostID)
	present, err := s.Store.Card(ctx, n.CardID)
	if err != nil || present != nil && owner.Former(present.CreatedAt) {
		return social.CardChange{}, false, err
	}
	return n.Over(present, owner.NotBefore(s.Now())), true, nil
}

// PostLiked puts a card for the first likes of a post, if that is left to do.
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
	if !p.TellsLikes() {
		return nil
	}
	return s.Put(ctx, s.Catalogue.PostLikes(owner, id).On(p, nil).Since(p.PostedAt), tell)
}
