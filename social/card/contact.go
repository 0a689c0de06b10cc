package card

import (
	"context"
	"strconv"

	"stoa/internal/outbox"
	"stoa/social"
)

// contactsAtOnce is the number of users processed at a time.
const contactsAtOnce = 20

// ContactsFound puts a card for each user whose address somebody has among their contacts.
// The cursor is the number of users processed.
func (s *Service) ContactsFound(ctx context.Context, e social.ContactsFound, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	joined, err := s.Users.Profile(ctx, e.By)
	if joined == nil || err != nil {
		return "", 0, err
	}
	done := 0
	if cursor != "" {
		if done, err = strconv.Atoi(cursor); err != nil {
			return "", 0, err
		}
	}
	users := e.Users[min(done, len(e.Users)):]
	now := users[:min(contactsAtOnce, len(users))]
	for _, id := range now {
		if err := s.Put(ctx, s.Catalogue.ContactJoined(id, joined), tell); err != nil {
			return "", 0, err
		}
	}
	if len(now) < len(users) {
		next = strconv.Itoa(done + len(now))
	}
	return next, len(now), nil
}
