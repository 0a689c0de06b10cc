package social

import (
	"context"
	"time"
)

// ChatFacts are a chat and the viewer's relation to it, read together. Only a store creates
// them; methods here return the facts after a change.
type ChatFacts struct {
	// Viewer is the viewer they were read for, Read the details that were read.
	Viewer UserID
	Read   Detail

	Chat *Chat
	// Member is the viewer's membership, or nil.
	Member *ChatMember
	// Flagged is set if the viewer flagged the chat.
	Flagged bool
	// Gone lists users of a direct chat who have since been reset or deleted. Such a chat
	// no longer exists for anybody, even if its rows are yet to be removed.
	Gone []UserID
}

// ChatReader reads chats.
type ChatReader interface {
	// Facts returns those chats that exist, with the details in d. The ids must be
	// distinct.
	Facts(ctx context.Context, viewer UserID, ids []ChatID, d Detail) (map[ChatID]ChatFacts, error)
}

// NewChatFacts returns the facts of a chat that the caller is creating, with no flags or
// views yet.
func NewChatFacts(c Caller, d Detail) ChatFacts {
	return ChatFacts{Viewer: c.UserID, Read: d & FlagMark}
}

// Exists reports whether there is the chat, as far as the viewer's membership tells.
func (f ChatFacts) Exists() bool { return f.Chat != nil && len(f.Gone) == 0 }

// Open reports whether the viewer may read the chat, as its members may.
func (f ChatFacts) Open() bool { return f.Exists() && f.Member != nil }

// See returns the chat as its viewer sees it, or nil if they are not a member.
func (f ChatFacts) See() *SeenChat {
	if !f.Open() {
		return nil
	}
	return &SeenChat{chat: f.Chat, viewer: f.Viewer, open: true, unviewed: f.Member.MessagesUnviewedCount, flagged: f.Flagged, read: f.Read}
}

// ChatMessageFacts are a message and the viewer's marks on it, read together. Only a store
// creates them; methods here return the facts after a change.
type ChatMessageFacts struct {
	Viewer UserID
	Read   Detail

	Message *ChatMessage
	// Flagged is set if the viewer flagged the message.
	Flagged bool
	// ChatViewedAt is when the viewer last viewed the chat; zero means never.
	ChatViewedAt time.Time
}

// NewChatMessageFacts returns the facts of a message that the caller has just written.
func NewChatMessageFacts(c Caller, m *ChatMessage, d Detail) ChatMessageFacts {
	mine(c.Viewer, m.UserID)
	return ChatMessageFacts{Viewer: c.UserID, Read: d & (ViewMark | FlagMark | TaggedUsers), Message: m}
}

// Users returns the users that a reader of the message sees.
func (f ChatMessageFacts) Users() []UserID { return f.Message.Users(f.Read) }

// See returns the message as its viewer sees it, given its users and its chat. It does not
// check whether the viewer may see the chat.
func (f ChatMessageFacts) See(users SeenUsers, in *SeenChat) *SeenChatMessage {
	s := &SeenChatMessage{message: f.Message, in: in, viewer: f.Viewer, flagged: f.Flagged, chatViewedAt: f.ChatViewedAt, read: f.Read}
	if f.Message.UserID != "" {
		s.author = users.maker(f.Message.UserID, f.Viewer, f.Message.CreatedAt)
	}
	if s.author != nil && s.author.Blocking() {
		s.author = nil
	}
	if f.Read.Has(TaggedUsers) {
		s.tags = seeTags(f.Message.TextTags, users, f.Message.textAt())
	}
	return s
}

// Notify returns the message as a subscriber is notified of it. Users must be read with
// BlockedTie: a block in either direction hides the author, but not mentions.
func (f ChatMessageFacts) Notify(users SeenUsers, in *SeenChat) *SeenChatMessage {
	s := f.See(users, in)
	if s.author != nil && s.author.rel.Blocks {
		s.author = nil
	}
	if f.Read.Has(TaggedUsers) {
		s.tags = make([]TextTaggedUser, 0, len(f.Message.TextTags))
		for _, tag := range f.Message.TextTags {
			if u := users.met(tag.UserID); u != nil && !u.user.Former(f.Message.textAt()) {
				s.tags = append(s.tags, TextTaggedUser{Tag: tag.Tag, User: u})
			}
		}
	}
	return s
}

// textAt is when the message got the text that it has.
func (m *ChatMessage) textAt() time.Time { return latest(m.CreatedAt, m.LastEditedAt) }

// Edited returns the facts after the author has changed the text.
func (f ChatMessageFacts) Edited(text string, tags []TextTag, at time.Time) ChatMessageFacts {
	m := *f.Message
	m.Text, m.TextTags, m.LastEditedAt = text, tags, at
	f.Message = &m
	return f
}
