package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// PostAdded tells everybody whom the text of a new post mentions, in whatever status the
// post begins.
func (s *Service) PostAdded(ctx context.Context, e social.PostMoved, tell outbox.Tell) error {
	return s.postMentions(ctx, e.PostID, e.UserID, e.Mentioned, tell)
}

// PostEdited tells those whom the text of a post has come to mention. Who was mentioned
// before has had their card, and who is mentioned no longer keeps it.
func (s *Service) PostEdited(ctx context.Context, e social.PostEdited, tell outbox.Tell) error {
	return s.postMentions(ctx, e.PostID, e.UserID, e.Mentioned, tell)
}

func (s *Service) postMentions(ctx context.Context, id social.PostID, owner social.UserID, mentioned []social.UserID, tell outbox.Tell) error {
	if len(mentioned) == 0 {
		return nil
	}
	p, err := s.post(ctx, id, owner)
	if p == nil || err != nil {
		return err
	}
	u, err := s.Users.Profile(ctx, owner)
	if u == nil || err != nil {
		return err
	}
	for _, user := range mentioned {
		if err := s.Put(ctx, s.Catalogue.PostMention(user, u.Username, p), tell); err != nil {
			return err
		}
	}
	return nil
}
