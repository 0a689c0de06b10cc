package social

import "time"

// CardChange is what becomes of a card: Before is nil for one that is made, After for one
// that is removed. The zero value is no change.
type CardChange struct{ Before, After *Card }

// Over is the change that makes the card n of present, which is nil when there is none: only
// the title of a card changes.
func (n NewCard) Over(present *Card, now time.Time) CardChange {
	c := n.At(now)
	if present != nil {
		c = *present
		c.Title = n.Title
	}
	return CardChange{present, &c}
}

// Moves reports whether there is anything to change.
func (c CardChange) Moves() bool {
	if c.Before == nil || c.After == nil {
		return c.Before != c.After
	}
	return c.Before.Title != c.After.Title
}

// Notification is what the user of the card is told of a change that moves it.
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
