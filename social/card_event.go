package social

// CardDismissed: a user dismissed a card.
type CardDismissed struct{ Card Card }

func (CardDismissed) EventName() string     { return "card.dismissed" }
func (e CardDismissed) OrderingKey() string { return string(e.Card.UserID) }

// CardNotified: the push notification of a card is due.
type CardNotified struct{ Card Card }

func (CardNotified) EventName() string     { return "card.notified" }
func (e CardNotified) OrderingKey() string { return string(e.Card.UserID) }
