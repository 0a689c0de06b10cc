package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Cards stores cards and the number of cards of each user.
type Cards struct{ db *keyspec.DB }

// Card returns a card with what it counts, or nil if it does not exist.
func (s *Cards) Card(ctx context.Context, id social.CardID) (*social.Card, error) {
	on := id.CountsOn()
	if on == "" {
		return cards.Get(ctx, s.db, cardKey(id))
	}
	b := s.db.NewBatch()
	card, post := cards.Fetch(b, cardKey(id)), posts.Fetch(b, postKey(on))
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	if card.At(0) != nil {
		card.At(0).Count(post.At(0))
	}
	return card.At(0), nil
}

// count adds what they count to cards.
func (s *Cards) count(ctx context.Context, all []*social.Card) error {
	counting := slices.DeleteFunc(slices.Clone(all), func(c *social.Card) bool { return c.CardID.CountsOn() == "" })
	if len(counting) == 0 {
		return nil
	}
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(counting), func(i int) keyspec.Key { return postKey(counting[i].CardID.CountsOn()) })
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, c := range counting {
		c.Count(found.At(i))
	}
	return nil
}

// Place returns a card and the user it belongs to. Each is nil if it does not exist.
func (s *Cards) Place(ctx context.Context, id social.CardID, of social.UserID) (*social.Card, *social.User, error) {
	b := s.db.NewBatch()
	card, profile := cards.Fetch(b, cardKey(id)), profiles.Fetch(b, profileKey(of))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	if !profile.At(0).isThere() {
		return card.At(0), nil, nil
	}
	return card.At(0), profile.At(0).user(), nil
}

// ByUser returns the cards of a user with what they count, newest first, by A1.
func (s *Cards) ByUser(ctx context.Context, user social.UserID, q page.Query) (page.Page[*social.Card], error) {
	all, err := stored.List(ctx, s.db, cards.Begins(A1, string(user)), q, true, stored.Same)
	if err != nil {
		return all, err
	}
	return all, s.count(ctx, all.Items)
}

// OfPost returns the cards that refer to a post, from A2. If user is not empty, only that
// user's cards are returned.
func (s *Cards) OfPost(ctx context.Context, post social.PostID, user social.UserID, q page.Query) (page.Page[*social.Card], error) {
	slots := []string{string(post)}
	if user != "" {
		slots = append(slots, string(user))
	}
	return stored.List(ctx, s.db, cards.Begins(A2, slots...), q, false, stored.Same)
}

// OfComment returns the cards that refer to a comment, from A3.
func (s *Cards) OfComment(ctx context.Context, id social.CommentID, q page.Query) (page.Page[*social.Card], error) {
	return stored.List(ctx, s.db, cards.Begins(A3, string(id)), q, false, stored.Same)
}

// Due returns the cards whose users are due a push notification, longest waiting first,
// from K1. The page may end with cards that are not due yet.
func (s *Cards) Due(ctx context.Context, q page.Query) (page.Page[*social.Card], error) {
	return stored.List(ctx, s.db, cards.Begins(K1), q, false, stored.Same)
}

// AboutComments returns a post and the card that tells its owner of unviewed comments on
// it. Each is nil if it does not exist; the post is also nil if it has another owner.
func (s *Cards) AboutComments(ctx context.Context, owner social.UserID, id social.PostID) (*social.Post, *social.Card, error) {
	b := s.db.NewBatch()
	post := posts.Fetch(b, postKey(id))
	card := cards.Fetch(b, cardKey(social.CardCommentActivity(id).Of(owner)))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	p := post.At(0)
	if p != nil && p.PostedByUserID != owner {
		p = nil
	}
	return p, card.At(0), nil
}

// Change stores a change of a card about on with its user's counter, and stores e. If the card
// counts unviewed comments on the post, or shows a number of its user, that must be unchanged. It
// fails with NotFound if a new card's user has no profile or has created another one, or what it is
// about is gone, and with Conflict if the card or that number has changed. Removing a card that a
// former profile left behind updates no counter.
func (s *Cards) Change(ctx context.Context, c social.CardChange, on social.CardAbout, e ...outbox.Record) error {
	tx := s.db.NewTx()
	user := changeCard(tx, c)
	var there []keyspec.Action
	if p := on.Post; p != nil {
		post := posts.Check(tx, postKey(p.PostID)).If(samePost, p.PostedByUserID, p.PostedAt)
		if c.Counts() {
			asCounted(post, "commentsUnviewedCount", p.CommentsUnviewedCount)
		} else {
			there = append(there, post)
		}
	}
	if u := on.User; u != nil {
		asShown(profiles.Check(tx, profileKey(u.UserID)), c, u)
	}
	if k := on.Comment; k != nil {
		there = append(there, comments.Check(tx, commentKey(k.CommentID)).If("commentedAt = ?", k.CommentedAt))
	}
	err := ops.Commit(ctx, tx, e...)
	for _, a := range there {
		if keyspec.Refused(err, a) {
			return refusal.NotFoundf("What the card is about does not exist")
		}
	}
	switch {
	case user == nil || on.User != nil || !keyspec.Refused(err, user):
		return stored.Outcome(err) // the user's number has changed, if not the profile
	case c.Before == nil:
		return refusal.NotFoundf("User `%s` does not exist", c.After.UserID)
	default:
		return s.Discard(ctx, *c.Before, e...)
	}
}

// sameCard is the condition that a card is the one that was read: the card of a newer profile has
// the same id, and may have the same title.
const sameCard = "title = ? AND createdAt = ?"

// changeCard adds a change of a card to a transaction. It returns the action that updates
// the counter in the user's profile, or nil if the counter does not change.
func changeCard(tx *keyspec.Tx, c social.CardChange) keyspec.Action {
	var counted *social.Card
	switch {
	case c.Before == nil:
		counted = c.After
		cards.Create(tx, *counted)
		cardCounts.Moved(tx, nil, counted)
	case c.After == nil:
		counted = c.Before
		cards.Delete(tx, cards.KeyOf(counted)).If(sameCard, counted.Title, counted.CreatedAt)
		cardCounts.Moved(tx, counted, nil)
	case c.Writes():
		cards.Update(tx, cardKey(c.Before.CardID)).If("title = ?", c.Before.Title).Set("title", c.After.Title)
		return nil
	default:
		cards.Check(tx, cardKey(c.Before.CardID)).If("title = ?", c.Before.Title)
		return nil
	}
	return profiles.Check(tx, profileKey(counted.UserID)).If(hadProfile, counted.CreatedAt)
}

// asShown makes a change of a card conditional on the number of its user that it shows.
func asShown[W interface{ If(string, ...any) W }](w W, c social.CardChange, u *social.User) {
	switch of := cmp.Or(c.After, c.Before); of.CardID {
	case social.CardChatActivity.Of(u.UserID):
		asCounted(w, "chatsWithUnviewedMessagesCount", u.ChatsWithUnviewedMessagesCount)
	case social.CardRequestedFollowers.Of(u.UserID):
		asCounted(w, "followersRequestedCount", u.FollowersRequestedCount)
	}
}

// Notified removes a card from those waiting for a push notification, and stores e. It
// fails with Conflict if the card no longer exists or its title has changed.
func (s *Cards) Notified(ctx context.Context, c social.Card, e ...outbox.Record) error {
	after := c
	after.NotifyUserAt = time.Time{}
	tx := s.db.NewTx()
	cards.Change(tx, c, after).If(sameCard, c.Title, c.CreatedAt)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Discard removes a card of a user whose profile no longer exists, and stores e. It fails
// with Conflict if the card no longer exists or has been replaced, or its title has
// changed.
func (s *Cards) Discard(ctx context.Context, c social.Card, e ...outbox.Record) error {
	tx := s.db.NewTx()
	cards.Delete(tx, cardKey(c.CardID)).If(sameCard, c.Title, c.CreatedAt)
	profiles.Check(tx, profileKey(c.UserID)).If(lacksProfile, c.CreatedAt)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

func cardKey(id social.CardID) keyspec.Key { return cards.Key(string(id)) }
