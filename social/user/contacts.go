package user

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// FindContacts returns which of the caller's contacts are users, one result for each
// contact, in order. Those users who do not follow the caller are notified.
func (s *Service) FindContacts(ctx context.Context, c social.Caller, contacts social.Contacts, d social.Detail) ([]*social.FoundContact, error) {
	if err := contacts.Check(); err != nil {
		return nil, err
	}
	byEmail, byPhone, err := s.Store.HoldersOfContacts(ctx, contacts)
	if err != nil {
		return nil, err
	}
	matches := contacts.Match(byEmail, byPhone)
	asked := make([]social.UserID, 0, len(matches))
	for _, contact := range contacts {
		if id, ok := matches[contact.ContactID]; ok && !slices.Contains(asked, id) {
			asked = append(asked, id)
		}
	}
	facts, err := s.Store.Facts(ctx, c.UserID, asked, d|social.FollowerTie)
	if err != nil {
		return nil, err
	}
	if err := s.contactsFound(ctx, c, asked, facts); err != nil {
		return nil, err
	}
	found := make([]*social.FoundContact, len(contacts))
	for i, contact := range contacts {
		var user *social.SeenUser
		if f, ok := facts[matches[contact.ContactID]]; ok && !f.See().Blocking() {
			user = f.See()
		}
		found[i] = &social.FoundContact{ContactID: contact.ContactID, User: user}
	}
	return found, nil
}

// contactsFound records the time of the lookup, with an event for the users to be notified.
func (s *Service) contactsFound(ctx context.Context, c social.Caller, asked []social.UserID, facts map[social.UserID]social.UserFacts) error {
	var told []social.UserID
	for _, id := range asked {
		if f, ok := facts[id]; ok && f.Joined() {
			told = append(told, id)
		}
	}
	var events []outbox.Event
	if len(told) > 0 {
		events = append(events, social.ContactsFound{By: c.UserID, Users: told})
	}
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		err := s.Store.FoundContacts(ctx, c.UserID, s.Now(), a.Emit(events...)...)
		if refusal.KindOf(err) == refusal.Conflict {
			return missing(c.UserID)
		}
		return err
	})
}
