// Package card manages the cards that ask users to look at something, and notifies users of
// changes to them.
//
// Cards follow from events: the files of this package are named after the areas whose
// events they receive. A dismissed card returns only with the next event, so receivers put
// cards for changes, never for existing state.
package card

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores cards.
type Store interface {
	// Card returns a card with what it counts, or nil if it does not exist.
	Card(ctx context.Context, id social.CardID) (*social.Card, error)
	// Place returns the card with the given id and its user. Either is nil if it does not
	// exist.
	Place(ctx context.Context, id social.CardID, of social.UserID) (*social.Card, *social.User, error)
	// ByUser returns the cards of a user with what they count, newest first.
	ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfPost returns the cards that refer to a post, only those of one user if user is not
	// empty.
	OfPost(ctx context.Context, post social.PostID, user social.UserID, q page.Query) (page.Page[*social.Card], error)
	// OfComment returns the cards that refer to a comment.
	OfComment(ctx context.Context, id social.CommentID, q page.Query) (page.Page[*social.Card], error)
	// AboutComments returns a post and the card that shows its owner the number of unviewed
	// comments on it. Either is nil if it does not exist, and the post also if it belongs
	// to another user.
	AboutComments(ctx context.Context, owner social.UserID, id social.PostID) (*social.Post, *social.Card, error)
	// Change applies a change of a card about on and stores e. It fails with NotFound if a card
	// is created for a user without a profile or with a newer one, or about what is gone, and
	// with Conflict if the card, or the number that it shows, has changed.
	Change(ctx context.Context, c social.CardChange, on social.CardAbout, e ...outbox.Record) error
	// Due returns the cards due to be pushed to their users, the longest due first. The
	// page may end with cards that are due later.
	Due(ctx context.Context, q page.Query) (page.Page[*social.Card], error)
	// Notified removes a card from the due ones and stores e. It fails with Conflict if the
	// card is gone or its title has changed.
	Notified(ctx context.Context, c social.Card, e ...outbox.Record) error
	// Discard deletes a card of a former profile and stores e. It fails with Conflict if
	// the card is gone or its title has changed.
	Discard(ctx context.Context, c social.Card, e ...outbox.Record) error
}

// Pusher pushes cards to devices.
type Pusher interface {
	// Push makes one attempt to push a card to its user's devices.
	Push(ctx context.Context, user *social.User, c *social.Card) error
}

// Service implements the card area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Users    social.ProfileReader
	Posts    social.PostReader
	Comments social.CommentReader
	Bus      outbox.Bus
	// Pusher is nil if nothing is pushed.
	Pusher    Pusher
	Catalogue social.CardCatalogue
}

// Put creates a card, or updates the title of an existing one, and notifies its user. A
// card of a former profile is replaced. Put does nothing for a user without a profile, or with a
// newer one than the card is for, or if what the card is about is gone.
func (s *Service) Put(ctx context.Context, n social.NewCard, tell outbox.Tell) error {
	return s.change(ctx, tell, func() (social.CardChange, social.CardAbout, error) {
		present, u, err := s.place(ctx, n.CardID, n.UserID, tell, n.IsFor)
		if u == nil || err != nil {
			return social.CardChange{}, social.CardAbout{}, err
		}
		return n.Over(present, u.NotBefore(s.Now())), n.About(), nil
	})
}

// count puts the card that shows a number in its user's profile, or withdraws it if the number
// is 0. show returns the number and the card.
func (s *Service) count(
	ctx context.Context, name social.CardName, user social.UserID, tell outbox.Tell, show func(*social.User) (int, social.NewCard),
) error {
	return s.change(ctx, tell, func() (social.CardChange, social.CardAbout, error) {
		present, u, err := s.place(ctx, name.Of(user), user, tell, func(*social.User) bool { return true })
		if u == nil || err != nil {
			return social.CardChange{}, social.CardAbout{}, err
		}
		on := social.CardAbout{User: u}
		number, n := show(u)
		if number == 0 {
			return social.CardChange{Before: present}, on, nil
		}
		return n.Over(present, u.NotBefore(s.Now())), on, nil
	})
}

// place returns a card and the user it belongs to, after it has deleted the card of a former profile.
// The user is nil if they have no profile or not the right one.
func (s *Service) place(
	ctx context.Context, id social.CardID, of social.UserID, tell outbox.Tell, right func(*social.User) bool,
) (*social.Card, *social.User, error) {
	present, u, err := s.Store.Place(ctx, id, of)
	switch {
	case u == nil || err != nil || !right(u):
		return nil, nil, err
	case present != nil && u.Former(present.CreatedAt):
		return nil, u, s.discard(ctx, present, tell)
	}
	return present, u, nil
}

// Withdraw deletes a card that is no longer needed, if it exists, and notifies its user.
func (s *Service) Withdraw(ctx context.Context, id social.CardID, tell outbox.Tell) error {
	return s.withdraw(ctx, &social.Card{CardID: id}, tell)
}

// withdraw is Withdraw for a listed card. What this counts is what the card showed, if that
// is not known anymore.
func (s *Service) withdraw(ctx context.Context, listed *social.Card, tell outbox.Tell) error {
	return s.change(ctx, tell, func() (social.CardChange, social.CardAbout, error) {
		present, err := s.Store.Card(ctx, listed.CardID)
		if present != nil && present.Comments == 0 {
			present.Comments = listed.Comments
		}
		return social.CardChange{Before: present}, social.CardAbout{}, err
	})
}

// change applies the decided change of a card about what is returned with it, and notifies the
// card's user. It does nothing if the profile of a new card's user, or what it is about, is gone.
func (s *Service) change(ctx context.Context, tell outbox.Tell, decide func() (social.CardChange, social.CardAbout, error)) error {
	made, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (social.CardChange, error) {
		c, on, err := decide()
		switch {
		case err != nil || !c.Moves():
			return social.CardChange{}, err
		case !c.Writes():
			return c, nil
		}
		return c, s.Store.Change(ctx, c, on)
	})
	if refusal.KindOf(err) == refusal.NotFound {
		return nil
	}
	if err == nil && made.Moves() {
		tell(made.Notification())
	}
	return err
}
