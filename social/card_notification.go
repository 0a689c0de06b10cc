package social

// CardNotificationType is what a CardNotification tells its user.
type CardNotificationType string

const (
	CardAdded   CardNotificationType = "ADDED"
	CardEdited  CardNotificationType = "EDITED"
	CardDeleted CardNotificationType = "DELETED"
)

// CardNotification tells a user of a change of a card of theirs. The card is as it was
// stored last.
type CardNotification struct {
	UserID UserID
	Type   CardNotificationType
	Card   SeenCard
}

// NewCardNotification tells of a card. Only its user hears that.
func NewCardNotification(t CardNotificationType, c Card) CardNotification {
	return CardNotification{UserID: c.UserID, Type: t, Card: SeenCard{c}}
}

// Subject is what the user's subscriptions listen to.
func (n CardNotification) Subject() string { return CardSubject(n.UserID) }

// CardSubject is the subject of all that is told of a user's cards.
func CardSubject(id UserID) string { return "card/" + string(id) }
