package social

// ChatMessageNotificationType is what a ChatMessageNotification tells its user.
type ChatMessageNotificationType string

const (
	ChatMessageIsAdded   ChatMessageNotificationType = "ADDED"
	ChatMessageIsEdited  ChatMessageNotificationType = "EDITED"
	ChatMessageIsDeleted ChatMessageNotificationType = "DELETED"
)

// ChatMessageNotification tells a member of a chat of a change of a message. The message
// and its chat are as they were stored then.
type ChatMessageNotification struct {
	UserID UserID
	Type   ChatMessageNotificationType
	Chat   Chat
	Stored ChatMessage
}

// Facts are what its user is told of the message.
func (n *ChatMessageNotification) Facts(d Detail) ChatMessageFacts {
	return ChatMessageFacts{Viewer: n.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Message: &n.Stored}
}

// Subject is what the user's subscriptions listen to.
func (n ChatMessageNotification) Subject() string { return ChatMessageSubject(n.UserID) }

// ChatMessageSubject is the subject of all that a user is told of messages.
func ChatMessageSubject(id UserID) string { return "chatMessage/" + string(id) }
