package social

import (
	"context"
	"time"
)

// ChatFacts are a chat and how its viewer stands to it, read together. Only a store makes
// them; what a change makes of them is a method here.
type ChatFacts struct {
	// Viewer is for whom they were read, Read what was read besides the chat.
	Viewer UserID
	Read   Detail

	Chat *Chat
	// Member is the viewer's membership, nil when they are none.
	Member *ChatMember
	// Flagged tells that the viewer reported the chat.
	Flagged bool
	// Gone are those of the two users of a direct chat who have been reset or deleted since:
	// it is there for nobody any more, although its rows follow a little later.
	Gone []UserID
}

// ChatReader reads chats.
type ChatReader interface {
	// Facts returns the chats among ids that exist, with the details that d asks for. The
	// ids must differ.
	Facts(ctx context.Context, viewer UserID, ids []ChatID, d Detail) (map[ChatID]ChatFacts, error)
}

// NewChatFacts are the facts about a chat that the caller begins: nobody has left anything
// on it.
func NewChatFacts(c Caller, d Detail) ChatFacts {
	return ChatFacts{Viewer: c.UserID, Read: d & FlagMark}
}

// Open reports whether the viewer may read the chat: its members may.
func (f ChatFacts) Open() bool { return f.Chat != nil && f.Member != nil && len(f.Gone) == 0 }

// See shows the chat to its viewer. It returns nil for one that they are no member of.
func (f ChatFacts) See() *SeenChat {
	if !f.Open() {
		return nil
	}
	return &SeenChat{chat: f.Chat, viewer: f.Viewer, open: true, unviewed: f.Member.MessagesUnviewedCount, flagged: f.Flagged, read: f.Read}
}

// ChatMessageFacts are a message and what concerns its viewer about it, read together.
// Only a store makes them; what a change makes of them is a method here.
type ChatMessageFacts struct {
	Viewer UserID
	Read   Detail

	Message *ChatMessage
	// Flagged tells that the viewer reported the message.
	Flagged bool
	// ChatViewedAt is when the viewer last viewed the chat; zero means never.
	ChatViewedAt time.Time
}

// NewChatMessageFacts are the facts about a message that the caller just wrote.
func NewChatMessageFacts(c Caller, m *ChatMessage, d Detail) ChatMessageFacts {
	mine(c.Viewer, m.UserID)
	return ChatMessageFacts{Viewer: c.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Message: m}
}

// Users returns whom a reader of the message meets: its author, if it has one, and, if they
// are shown, the users that its text mentions. A user may come up more than once.
func (f ChatMessageFacts) Users() []UserID {
	var ids []UserID
	if f.Message.UserID != "" {
		ids = append(ids, f.Message.UserID)
	}
	if f.Read.Has(TaggedUsers) {
		ids = taggedUsers(ids, f.Message.TextTags)
	}
	return ids
}

// See shows the message to its viewer, who sees users and its chat as given. Whether they
// may see the chat is not asked here.
func (f ChatMessageFacts) See(users SeenUsers, in *SeenChat) *SeenChatMessage {
	s := &SeenChatMessage{message: f.Message, in: in, viewer: f.Viewer, flagged: f.Flagged, chatViewedAt: f.ChatViewedAt, read: f.Read}
	if f.Message.UserID != "" {
		s.author = users.owner(f.Message.UserID, f.Viewer)
	}
	if s.author != nil && s.author.Blocking() {
		s.author = nil
	}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Message.TextTags, users)
	}
	return s
}

// Notify shows the message to somebody who is told of it, and sees users as given, with
// BlockedTie. Blocks hide its author in both directions, and no mentions.
func (f ChatMessageFacts) Notify(users SeenUsers, in *SeenChat) *SeenChatMessage {
	s := f.See(users, in)
	if s.author != nil && s.author.rel.Blocks {
		s.author = nil
	}
	if f.Read.Has(TaggedUsers) {
		s.tags = make([]TextTaggedUser, 0, len(f.Message.TextTags))
		for _, tag := range f.Message.TextTags {
			if u := users.met(tag.UserID); u != nil {
				s.tags = append(s.tags, TextTaggedUser{Tag: tag.Tag, User: u})
			}
		}
	}
	return s
}

// Edited returns the facts as they are once the author gave the message another text.
func (f ChatMessageFacts) Edited(text string, tags []TextTag, at time.Time) ChatMessageFacts {
	m := *f.Message
	m.Text, m.TextTags, m.LastEditedAt = text, tags, at
	f.Message = &m
	return f
}
