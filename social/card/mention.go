package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// PostAdded puts cards for the users mentioned in the text of a new post, whatever its
// status.
func (s *Service) PostAdded(ctx context.Context, e social.PostStatusChanged, tell outbox.Tell) error {
	return s.postMentions(ctx, e.PostID, e.UserID, e.Mentioned, tell)
}

// PostEdited puts cards for the users newly mentioned in a post. Those who were mentioned
// before have had their card, and those no longer mentioned keep it.
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
		if err := s.Put(ctx, s.Catalogue.PostMention(user, u.Username, p).On(p, nil).Since(p.TextAt()), tell); err != nil {
			return err
		}
	}
	return nil
}
