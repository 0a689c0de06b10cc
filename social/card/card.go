// Package card keeps the cards by which users are asked to look at something, and tells
// them of each change.
//
// Cards follow from what happens: the files of this package are named after the areas
// whose events they receive. A card that its user has dismissed comes back with the next
// event only, so receivers put cards for what changed and never for what merely is.
package card

import (
	"context"

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
	// Place returns the card with an id and the user whose it is, nil when there is none.
	Place(ctx context.Context, id social.CardID, of social.UserID) (*social.Card, *social.User, error)
	// ByUser returns the cards of a user, newest first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfPost returns the cards that refer to a post; those of one user, unless user is
	// empty.
	OfPost(ctx context.Context, post social.PostID, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfComment returns the cards that refer to a comment.
	OfComment(ctx context.Context, id social.CommentID, q page.Query) (page.Page[*social.Card], error)
	// AboutComments returns a post with the card that counts for its owner the comments on
	// it they have not viewed. Either is nil when it is not there, as is the post when it is
	// somebody else's.
	AboutComments(ctx context.Context, owner social.UserID, id social.PostID) (*social.Post, *social.Card, error)
	// Change makes a change of a card, and stores e. With p, it counts the comments on p that
	// its owner has not viewed. It fails with NotFound when a card is made for a user without
	// a profile, or with a newer one, and with Conflict when the card is not as before or that
	// number is another.
	Change(ctx context.Context, c social.CardChange, p *social.Post, e ...outbox.Record) error
	// Due returns the cards of which their users are to be told, those that wait longest
	// first. The page may end with cards that are due later.
	Due(ctx context.Context, q page.Query) (page.Page[*social.Card], error)
	// Notified takes a card out of those, and stores e. It fails with Conflict when the card
	// is gone or has another title by now.
	Notified(ctx context.Context, c social.Card, e ...outbox.Record) error
	// Discard removes a card of a user whose profile is gone, and stores e. It fails with
	// Conflict when the card is gone or has another title by now.
	Discard(ctx context.Context, c social.Card, e ...outbox.Record) error
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
	// Pusher is nil where nobody is pushed to anything.
	Pusher    Pusher
	Catalogue social.CardCatalogue
}

// Put makes a card, or renews the title of the one that is there, and tells its user. One that
// a former profile has left makes room. It does nothing for a user without a profile.
func (s *Service) Put(ctx context.Context, n social.NewCard, tell outbox.Tell) error {
	err := s.change(ctx, tell, func() (social.CardChange, *social.Post, error) {
		present, u, err := s.Store.Place(ctx, n.CardID, n.UserID)
		if u == nil || err != nil {
			return social.CardChange{}, nil, err
		}
		if present != nil && u.Former(present.CreatedAt) {
			if err := s.discard(ctx, present, tell); err != nil {
				return social.CardChange{}, nil, err
			}
			present = nil
		}
		return n.Over(present, u.NotBefore(s.Events.Now())), nil, nil
	})
	if refusal.KindOf(err) == refusal.NotFound {
		return nil
	}
	return err
}

// Withdraw removes a card that has lost its reason, if it is there, and tells its user.
func (s *Service) Withdraw(ctx context.Context, id social.CardID, tell outbox.Tell) error {
	return s.change(ctx, tell, func() (social.CardChange, *social.Post, error) {
		present, err := s.Store.Card(ctx, id)
		return social.CardChange{Before: present}, nil, err
	})
}

// change makes the change that is decided, and tells the user of the card. With a post, it
// counts the comments on that.
func (s *Service) change(ctx context.Context, tell outbox.Tell, decide func() (social.CardChange, *social.Post, error)) error {
	made, err := retry.OnConflict(func() (social.CardChange, error) {
		c, p, err := decide()
		if err != nil || !c.Moves() {
			return social.CardChange{}, err
		}
		return c, s.Store.Change(ctx, c, p)
	})
	if err == nil && made.Moves() {
		tell(made.Notification())
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
