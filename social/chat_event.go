package social

import "time"

// ChatMessageAdded: a message was added. The members in To are to hear of it.
type ChatMessageAdded struct {
	Chat    Chat
	Message ChatMessage
	To      []UserID
}

func (ChatMessageAdded) EventName() string     { return "chatMessage.added" }
func (e ChatMessageAdded) OrderingKey() string { return string(e.Chat.ChatID) }

// ChatMessageEdited: the author changed a message's text. All members are to hear of it, also
// those who have joined since the decision.
type ChatMessageEdited struct {
	Chat    Chat
	Message ChatMessage
}

func (ChatMessageEdited) EventName() string     { return "chatMessage.edited" }
func (e ChatMessageEdited) OrderingKey() string { return string(e.Chat.ChatID) }

// ChatMessageDeleted: a message was deleted by its author, of which the members in To are
// to hear, or by force, of which nobody hears.
type ChatMessageDeleted struct {
	Chat    Chat
	Message ChatMessage
	To      []UserID
	// Forced is set if the message was removed by force.
	Forced bool `json:",omitempty"`
}

func (ChatMessageDeleted) EventName() string     { return "chatMessage.deleted" }
func (e ChatMessageDeleted) OrderingKey() string { return string(e.Chat.ChatID) }

// ChatMessageRestored: a message that had been removed by force is back. Nobody hears of it,
// unless it was held until now.
type ChatMessageRestored struct {
	Chat    Chat
	Message ChatMessage
	// Released is set if the message was held.
	Released bool `json:",omitempty"`
}

func (ChatMessageRestored) EventName() string     { return "chatMessage.restored" }
func (e ChatMessageRestored) OrderingKey() string { return string(e.Chat.ChatID) }

// UnviewedChatsChanged: some users' number of chats with unviewed messages changed. Its
// stored name is chat.unviewedMoved.
type UnviewedChatsChanged struct {
	ChatID  ChatID
	UserIDs []UserID
}

func (UnviewedChatsChanged) EventName() string     { return "chat.unviewedChanged" }
func (e UnviewedChatsChanged) OrderingKey() string { return string(e.ChatID) }

// OtherKeys are those of the users: they hear of their number, and of the card that shows it, in
// order, whatever chats have changed it.
func (e UnviewedChatsChanged) OtherKeys() []string {
	keys := make([]string, len(e.UserIDs))
	for i, id := range e.UserIDs {
		keys[i] = "unviewed chats of " + string(id)
	}
	return keys
}

// ChatJoined: more users join a large group, at the time at which the first ones joined in
// the transaction of the decision.
type ChatJoined struct {
	ChatID    ChatID
	CreatedAt time.Time
	UserIDs   []UserID
	At        time.Time
}

func (ChatJoined) EventName() string     { return "chat.joined" }
func (e ChatJoined) OrderingKey() string { return string(e.ChatID) }

// ChatDeleted: a chat was deleted with all of its members, except those of a large group.
// None of its messages is newer than LastMessageActivityAt.
type ChatDeleted struct {
	ChatID                ChatID
	LastMessageActivityAt time.Time
	// Large is set if members and a journal remain to be deleted.
	Large bool `json:",omitempty"`
	// Forced is set if moderation deleted the chat.
	Forced bool `json:",omitempty"`
}

func (ChatDeleted) EventName() string     { return "chat.deleted" }
func (e ChatDeleted) OrderingKey() string { return string(e.ChatID) }
