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

// Place returns the card with an id and the user whose it is, nil when there is none.
func (s *Cards) Place(ctx context.Context, id social.CardID, of social.UserID) (*social.Card, *social.User, error) {
	b := s.db.NewBatch()
	card, profile := cards.Fetch(b, cardKey(id)), profiles.Fetch(b, profileKey(of))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	var c *social.Card
	if item := card.At(0); item != nil {
		c = item.card()
	}
	if !profile.At(0).isThere() {
		return c, nil, nil
	}
	return c, profile.At(0).user(), nil
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

// AboutComments returns a post with the card that counts for its owner the comments on it
// they have not viewed. Either is nil when it is not there, as is the post when it is
// somebody else's.
func (s *Cards) AboutComments(ctx context.Context, owner social.UserID, id social.PostID) (*social.Post, *social.Card, error) {
	b := s.db.NewBatch()
	post := posts.Fetch(b, postKey(id))
	card := cards.Fetch(b, cardKey(social.CardCommentActivity(id).Of(owner)))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	var p *social.Post
	if item := post.At(0); item != nil && item.PostedByUserID == owner {
		p = item.post()
	}
	var c *social.Card
	if item := card.At(0); item != nil {
		c = item.card()
	}
	return p, c, nil
}

// Change makes a change of a card with the counter of its user, and stores e. With p, it
// counts the comments on p that its owner has not viewed. It fails with NotFound when a card
// is made for a user without a profile, or with a newer one, and with Conflict when the card
// is not as before or that number is another. A card that a former profile has left counts for nobody when it is
// removed.
func (s *Cards) Change(ctx context.Context, c social.CardChange, p *social.Post, e ...outbox.Record) error {
	tx := s.db.NewTx()
	user := changeCard(tx, c)
	if p != nil {
		on := posts.Check(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, keyspec.StampOf(p.PostedAt))
		asCounted(on, "commentsUnviewedCount", p.CommentsUnviewedCount)
	}
	ops.Record(tx, e...)
	err := tx.Run(ctx)
	switch {
	case user == nil || !keyspec.Refused(err, user):
		return stored.Outcome(err)
	case c.Before == nil:
		return refusal.NotFoundf("User `%s` does not exist", c.After.UserID)
	default:
		return s.Discard(ctx, *c.Before, e...)
	}
}

// changeCard adds a change of a card to a transaction. It returns the action by which the
// profile of its user counts it, nil when that stays.
func changeCard(tx *keyspec.Tx, c social.CardChange) keyspec.Action {
	var counted cardItem
	switch {
	case c.Before == nil:
		counted = cardItemOf(*c.After)
		cards.Create(tx, counted)
		cardCounts.Moved(tx, nil, &counted)
	case c.After == nil:
		counted = cardItemOf(*c.Before)
		cards.Delete(tx, cards.KeyOf(&counted)).If("title = ?", c.Before.Title)
		cardCounts.Moved(tx, &counted, nil)
	case c.Moves():
		cards.Update(tx, cardKey(c.Before.CardID)).If("title = ?", c.Before.Title).Set("title", c.After.Title)
		return nil
	default:
		cards.Check(tx, cardKey(c.Before.CardID)).If("title = ?", c.Before.Title)
		return nil
	}
	return profiles.Check(tx, profileKey(counted.UserID)).If("signedUpAt <= ?", counted.CreatedAt)
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
