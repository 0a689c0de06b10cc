// Package card keeps the cards by which users are asked to look at something, and tells
// them of each change.
//
// Cards follow from what happens: the files of this package are named after the areas
// whose events they receive. A card that its user has dismissed comes back with the next
// event only, so receivers put cards for what changed and never for what merely is.
package card

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps cards.
type Store interface {
	// Card returns a card, nil when there is none.
	Card(ctx context.Context, id social.CardID) (*social.Card, error)
	// ByUser returns the cards of a user, newest first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfPost returns the cards that refer to a post; those of one user, unless user is
	// empty.
	OfPost(ctx context.Context, post social.PostID, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfComment returns the cards that refer to a comment.
	OfComment(ctx context.Context, id social.CommentID, q page.Query) (page.Page[*social.Card], error)
	// Add stores a card. It fails with NotFound when its user has no profile, or a newer one
	// than the card, and with
	// Conflict when there is a card with its id.
	Add(ctx context.Context, c social.Card) error
	// Retitle gives a card another title. It fails with Conflict when the card is gone or
	// has another title by now.
	Retitle(ctx context.Context, c social.Card, title string) error
	// Due returns the cards of which their users are to be told, those that wait longest
	// first. The page may end with cards that are due later.
	Due(ctx context.Context, q page.Query) (page.Page[*social.Card], error)
	// Notified takes a card out of those, and stores e. It fails with Conflict when the card
	// is gone or has another title by now.
	Notified(ctx context.Context, c social.Card, e ...outbox.Record) error
	// Remove removes a card and stores e. It fails with Conflict when the card is gone or
	// has another title by now.
	Remove(ctx context.Context, c social.Card, e ...outbox.Record) error
	// Discard removes a card of a user whose profile is gone, and stores e. It fails with
	// Conflict when the card is gone or has another title by now.
	Discard(ctx context.Context, c social.Card, e ...outbox.Record) error
}

// Devices knows where users are pushed to.
type Devices interface {
	// SetAPNSToken replaces the token of a user's device; "" is none.
	SetAPNSToken(ctx context.Context, user social.UserID, token string) error
}

// Users knows profiles.
type Users interface {
	// Profile returns a profile, nil when there is none.
	Profile(ctx context.Context, id social.UserID) (*social.User, error)
}

// Pusher shows cards on devices.
type Pusher interface {
	// Push makes one attempt to show a card of a user on their devices.
	Push(ctx context.Context, user *social.User, c *social.Card) error
}

// Service is the card area. Its fields are set once.
type Service struct {
	Store    Store
	Users    Users
	Posts    social.PostReader
	Comments Comments
	Events   outbox.Sender
	Bus      outbox.Bus
	Devices  Devices
	// Pusher is nil where nobody is pushed to anything.
	Pusher    Pusher
	Catalogue social.CardCatalogue
}

// Put makes a card, or renews the title of the one that is there, and tells its user. It
// does nothing for a user without a profile.
func (s *Service) Put(ctx context.Context, n social.NewCard, tell outbox.Tell) error {
	return s.put(ctx, n, s.Events.Now(), tell)
}

// put is Put for a card that is made at a time.
func (s *Service) put(ctx context.Context, n social.NewCard, at time.Time, tell outbox.Tell) error {
	told, err := retry.OnConflict(func() (*social.CardNotification, error) {
		present, err := s.Store.Card(ctx, n.CardID)
		switch {
		case err != nil:
			return nil, err
		case present == nil:
			c := n.At(at)
			return notification(social.CardAdded, c, s.Store.Add(ctx, c))
		case present.Title == n.Title:
			return nil, nil
		default:
			err := s.Store.Retitle(ctx, *present, n.Title)
			present.Title = n.Title
			return notification(social.CardEdited, *present, err)
		}
	})
	if told != nil {
		tell(*told)
	}
	if refusal.KindOf(err) == refusal.NotFound {
		return nil
	}
	return err
}

// Withdraw removes a card that has lost its reason, if it is there, and tells its user.
func (s *Service) Withdraw(ctx context.Context, id social.CardID, tell outbox.Tell) error {
	told, err := retry.OnConflict(func() (*social.CardNotification, error) {
		present, err := s.Store.Card(ctx, id)
		if present == nil || err != nil {
			return nil, err
		}
		return notification(social.CardDeleted, *present, s.Store.Remove(ctx, *present))
	})
	if told != nil {
		tell(*told)
	}
	return err
}

// withdrawAll removes a page of cards, those of them that are chosen.
func (s *Service) withdrawAll(ctx context.Context, cards page.Page[*social.Card], tell outbox.Tell) (next string, rows int, err error) {
	for _, c := range cards.Items {
		if err := s.Withdraw(ctx, c.CardID, tell); err != nil {
			return "", 0, err
		}
	}
	return cards.Next, len(cards.Items), nil
}

func notification(t social.CardNotificationType, c social.Card, err error) (*social.CardNotification, error) {
	if err != nil {
		return nil, err
	}
	n := social.NewCardNotification(t, c)
	return &n, nil
}
