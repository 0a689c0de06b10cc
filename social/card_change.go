package social

import "time"

// CardChange is a change of a card. Before is nil if the card is created, After if it is
// deleted. The zero value is no change.
type CardChange struct{ Before, After *Card }

// CardAbout is what a card is about: a post, perhaps a comment on it, or its user, a number of whom
// it shows. Each may be nil.
type CardAbout struct {
	Post    *Post
	Comment *Comment
	User    *User
}

// Over returns the change that creates card n, or makes the present one, if it is not nil,
// show what n does. now must not be before the profile of the card's user.
func (n NewCard) Over(present *Card, now time.Time) CardChange {
	c := n.At(now)
	if present != nil {
		c = *present
		if c.Comments = n.Comments; c.Comments == 0 {
			c.Title = n.Title
		}
	}
	return CardChange{present, &c}
}

// Moves reports whether the user sees anything change.
func (c CardChange) Moves() bool {
	if c.Before == nil || c.After == nil {
		return c.Before != c.After
	}
	return c.Before.ShownTitle() != c.After.ShownTitle()
}

// Writes reports whether anything stored changes.
func (c CardChange) Writes() bool {
	if c.Before == nil || c.After == nil {
		return c.Before != c.After
	}
	return c.Before.Title != c.After.Title
}

// Counts reports whether the card shows the number of unviewed comments on a post.
func (c CardChange) Counts() bool {
	of := c.After
	if of == nil {
		of = c.Before
	}
	return of != nil && of.CardID.CountsOn() != ""
}

// Notification returns the notification of the change, which must be one that Moves
// reports.
func (c CardChange) Notification() CardNotification {
	switch {
	case c.Before == nil:
		return NewCardNotification(CardAdded, *c.After)
	case c.After == nil:
		return NewCardNotification(CardDeleted, *c.Before)
	default:
		return NewCardNotification(CardEdited, *c.After)
	}
}
