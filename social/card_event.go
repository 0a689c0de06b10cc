package social

// CardDismissed: a user removed a card of theirs.
type CardDismissed struct{ Card Card }

func (CardDismissed) EventName() string     { return "card.dismissed" }
func (e CardDismissed) OrderingKey() string { return string(e.Card.UserID) }

// CardNotified: the time has come, or passed, at which the user of a card is pushed to it.
type CardNotified struct{ Card Card }

func (CardNotified) EventName() string     { return "card.notified" }
func (e CardNotified) OrderingKey() string { return string(e.Card.UserID) }
