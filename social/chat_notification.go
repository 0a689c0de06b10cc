package social

// ChatMessageNotificationType is the kind of change that a ChatMessageNotification reports.
type ChatMessageNotificationType string

const (
	ChatMessageIsAdded   ChatMessageNotificationType = "ADDED"
	ChatMessageIsEdited  ChatMessageNotificationType = "EDITED"
	ChatMessageIsDeleted ChatMessageNotificationType = "DELETED"
)

// ChatMessageNotification reports a change to a message to one member, with the message and
// its chat as stored at that time.
type ChatMessageNotification struct {
	UserID UserID
	Type   ChatMessageNotificationType
	Chat   Chat
	Stored ChatMessage
}

// Facts returns the message as its user may see it.
func (n *ChatMessageNotification) Facts(d Detail) ChatMessageFacts {
	return ChatMessageFacts{Viewer: n.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Message: &n.Stored}
}

// Subject is the bus subject that the user's subscriptions listen to.
func (n ChatMessageNotification) Subject() string { return ChatMessageSubject(n.UserID) }

// ChatMessageSubject returns the bus subject for a user's messages.
func ChatMessageSubject(id UserID) string { return "chatMessage/" + string(id) }
