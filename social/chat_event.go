package social

import "time"

// ChatMessageAdded: a message came into a chat, for the members in To.
type ChatMessageAdded struct {
	Chat    Chat
	Message ChatMessage
	To      []UserID
}

func (ChatMessageAdded) EventName() string     { return "chatMessage.added" }
func (e ChatMessageAdded) OrderingKey() string { return string(e.Chat.ChatID) }

// ChatMessageEdited: the author gave a message another text, which the members in To hear.
type ChatMessageEdited struct {
	Chat    Chat
	Message ChatMessage
	To      []UserID
}

func (ChatMessageEdited) EventName() string     { return "chatMessage.edited" }
func (e ChatMessageEdited) OrderingKey() string { return string(e.Chat.ChatID) }

// ChatMessageDeleted: the author took a message away, which the members in To hear, or it was
// removed by force, which nobody hears.
type ChatMessageDeleted struct {
	Chat    Chat
	Message ChatMessage
	To      []UserID
	// Forced says that it was.
	Forced bool `json:",omitempty"`
}

func (ChatMessageDeleted) EventName() string     { return "chatMessage.deleted" }
func (e ChatMessageDeleted) OrderingKey() string { return string(e.Chat.ChatID) }

// UnviewedChatsMoved: by what happened in a chat, some users have one more or one less chat
// with messages that they have not viewed.
type UnviewedChatsMoved struct {
	ChatID  ChatID
	UserIDs []UserID
}

func (UnviewedChatsMoved) EventName() string     { return "chat.unviewedMoved" }
func (e UnviewedChatsMoved) OrderingKey() string { return string(e.ChatID) }

// ChatJoined: some more users join a large group, at a time at which others joined with the
// decision.
type ChatJoined struct {
	ChatID    ChatID
	CreatedAt time.Time
	UserIDs   []UserID
	At        time.Time
}

func (ChatJoined) EventName() string     { return "chat.joined" }
func (e ChatJoined) OrderingKey() string { return string(e.ChatID) }

// ChatDeleted: a chat is gone, with all its members but those of a large group. No message of
// it is newer than LastMessageActivityAt.
type ChatDeleted struct {
	ChatID                ChatID
	LastMessageActivityAt time.Time
	// Large says that members and a journal are left.
	Large bool `json:",omitempty"`
}

func (ChatDeleted) EventName() string     { return "chat.deleted" }
func (e ChatDeleted) OrderingKey() string { return string(e.ChatID) }
