package card

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Delete dismisses a card of the caller and returns it as it was.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.CardID) (*social.SeenCard, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenCard, error) {
		card, err := s.Store.Card(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case card == nil:
			return nil, refusal.NotFoundf("No card with id `%s` found", id)
		case card.UserID != c.UserID:
			return nil, refusal.Invalidf("Caller `%s` does not own Card `%s`", c.UserID, id)
		}
		e := a.Emit(social.CardDismissed{Card: *card})
		return card.See(c.Viewer), s.Store.Change(ctx, social.CardChange{Before: card}, social.CardAbout{}, e...)
	})
}

// CardDismissed notifies the user on all their devices.
func (s *Service) CardDismissed(_ context.Context, e social.CardDismissed, tell outbox.Tell) error {
	tell(social.NewCardNotification(social.CardDeleted, e.Card))
	return nil
}
