package social

// CardDismissed: a user removed a card of theirs.
type CardDismissed struct{ Card Card }

func (CardDismissed) EventName() string     { return "card.dismissed" }
func (e CardDismissed) OrderingKey() string { return string(e.Card.UserID) }
