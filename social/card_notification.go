package social

// CardNotificationType is the kind of change that a CardNotification reports.
type CardNotificationType string

const (
	CardAdded   CardNotificationType = "ADDED"
	CardEdited  CardNotificationType = "EDITED"
	CardDeleted CardNotificationType = "DELETED"
)

// CardNotification reports a change to a user's card, with the card as last stored.
type CardNotification struct {
	UserID UserID
	Type   CardNotificationType
	Stored Card
}

// NewCardNotification returns a notification for the card's user.
func NewCardNotification(t CardNotificationType, c Card) CardNotification {
	return CardNotification{UserID: c.UserID, Type: t, Stored: c}
}

// Card returns the card as its user, who alone receives the notification, sees it.
func (n CardNotification) Card() *SeenCard { return &SeenCard{n.Stored} }

// Subject is the bus subject that the user's subscriptions listen to.
func (n CardNotification) Subject() string { return CardSubject(n.UserID) }

// CardSubject returns the bus subject for a user's cards.
func CardSubject(id UserID) string { return "card/" + string(id) }
