package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Cards keeps cards and how many of them each user has.
type Cards struct{ db *keyspec.DB }

// Card returns a card, nil when there is none.
func (s *Cards) Card(ctx context.Context, id social.CardID) (*social.Card, error) {
	item, err := cards.Get(ctx, s.db, cardKey(id))
	if item == nil || err != nil {
		return nil, err
	}
	return item.card(), nil
}

// ByUser returns the cards of a user, newest first, by A1.
func (s *Cards) ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Card], error) {
	return stored.List(ctx, s.db, cards.Begins(A1, string(user)), q, true, (*cardItem).card)
}

// OfPost returns the cards that refer to a post, by A2; those of one user, unless user is
// empty.
func (s *Cards) OfPost(ctx context.Context, post social.PostID, user social.UserID, q page.Query) (page.Page[*social.Card], error) {
	slots := []string{string(post)}
	if user != "" {
		slots = append(slots, string(user))
	}
	return stored.List(ctx, s.db, cards.Begins(A2, slots...), q, false, (*cardItem).card)
}

// OfComment returns the cards that refer to a comment, by A3.
func (s *Cards) OfComment(ctx context.Context, id social.CommentID, q page.Query) (page.Page[*social.Card], error) {
	return stored.List(ctx, s.db, cards.Begins(A3, string(id)), q, false, (*cardItem).card)
}

// Due returns the cards of which their users are to be told, those that wait longest
// first, by K1. The page may end with cards that are due later than now.
func (s *Cards) Due(ctx context.Context, q page.Query) (page.Page[*social.Card], error) {
	return stored.List(ctx, s.db, cards.Begins(K1), q, false, (*cardItem).card)
}

// Add stores a card with the counter of its user. It fails with NotFound when its user
// has no profile, or a newer one than the card, and with Conflict when there is a card with
// its id.
func (s *Cards) Add(ctx context.Context, c social.Card) error {
	tx := s.db.NewTx()
	item := cardItemOf(c)
	cards.Create(tx, item)
	cardCounts.Moved(tx, nil, &item)
	user := profiles.Check(tx, profileKey(c.UserID)).If("signedUpAt <= ?", item.CreatedAt)
	err := tx.Run(ctx)
	if keyspec.Refused(err, user) {
		return refusal.NotFoundf("User `%s` does not exist", c.UserID)
	}
	return stored.Outcome(err)
}

// Retitle gives a card another title. It fails with Conflict when the card is gone or has
// another title by now.
func (s *Cards) Retitle(ctx context.Context, c social.Card, title string) error {
	tx := s.db.NewTx()
	cards.Update(tx, cardKey(c.CardID)).If("title = ?", c.Title).Set("title", title)
	return stored.Outcome(tx.Run(ctx))
}

// Notified takes a card out of those of which their users are to be told, and stores e. It
// fails with Conflict when the card is gone or has another title by now.
func (s *Cards) Notified(ctx context.Context, c social.Card, e ...outbox.Record) error {
	before, after := cardItemOf(c), cardItemOf(c)
	after.NotifyUserAt = 0
	tx := s.db.NewTx()
	cards.Change(tx, before, after).If("title = ?", c.Title)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Remove removes a card with the counter of its user, and stores e. One that a former
// profile has left counts for nobody. It fails with Conflict when the card is gone or has
// another title by now.
func (s *Cards) Remove(ctx context.Context, c social.Card, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := cardItemOf(c)
	cards.Delete(tx, cards.KeyOf(&item)).If("title = ?", c.Title)
	cardCounts.Moved(tx, &item, nil)
	user := profiles.Check(tx, profileKey(c.UserID)).If("signedUpAt <= ?", item.CreatedAt)
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	if keyspec.Refused(err, user) {
		return s.Discard(ctx, c, e...)
	}
	return stored.Outcome(err)
}

// Discard removes a card of a user whose profile is gone, and stores e. It fails with
// Conflict when the card is gone or has another title by now.
func (s *Cards) Discard(ctx context.Context, c social.Card, e ...outbox.Record) error {
	tx := s.db.NewTx()
	cards.Delete(tx, cardKey(c.CardID)).If("title = ?", c.Title)
	ops.Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

func cardKey(id social.CardID) keyspec.Key { return cards.Key(string(id)) }

func (i *cardItem) card() *social.Card {
	return &social.Card{
		CardID:       i.CardID,
		UserID:       i.UserID,
		Title:        i.Title,
		SubTitle:     i.SubTitle,
		Action:       i.Action,
		PostID:       i.PostID,
		CommentID:    i.CommentID,
		CreatedAt:    i.CreatedAt.Time(),
		NotifyUserAt: i.NotifyUserAt.Time(),
	}
}

func cardItemOf(c social.Card) cardItem {
	return cardItem{
		CardID:       c.CardID,
		UserID:       c.UserID,
		Title:        c.Title,
		SubTitle:     c.SubTitle,
		Action:       c.Action,
		PostID:       c.PostID,
		CommentID:    c.CommentID,
		CreatedAt:    keyspec.StampOf(c.CreatedAt),
		NotifyUserAt: keyspec.StampOf(c.NotifyUserAt),
	}
}
