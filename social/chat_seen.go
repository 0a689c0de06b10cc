package social

import "time"

// SeenChat is a chat as one viewer sees it. Each method is a field of the API's Chat.
type SeenChat struct {
	chat   *Chat
	viewer UserID
	// open: the viewer may read who is in the chat and what is said there. Otherwise they
	// have only come across it, by a message of their own.
	open     bool
	unviewed int
	flagged  bool
	read     Detail
}

// Glimpse shows somebody who has a message of a chat before them what there is to know of
// the chat without reading any more.
func (c *Chat) Glimpse(viewer UserID) *SeenChat { return &SeenChat{chat: c, viewer: viewer} }

// Unread is the same chat for one who left nothing on it that could be read.
func (s *SeenChat) Unread() *SeenChat {
	unread := *s
	unread.read, unread.flagged = FlagMark, false
	return &unread
}

// Open reports whether the viewer may read who is in the chat and what is said there.
func (s *SeenChat) Open() bool { return s.open }

// Shows reports whether the details of d were read.
func (s *SeenChat) Shows(d Detail) bool { return s.read.Has(d & FlagMark) }

func (s *SeenChat) ChatID() ChatID       { return s.chat.ChatID }
func (s *SeenChat) ChatType() ChatType   { return s.chat.Type }
func (s *SeenChat) Name() *string        { return set(true, s.chat.Name) }
func (s *SeenChat) CreatedAt() time.Time { return s.chat.CreatedAt }
func (s *SeenChat) UserCount() int       { return s.chat.UserCount }
func (s *SeenChat) UsersCount() int      { return s.chat.UserCount }
func (s *SeenChat) MessageCount() int    { return s.chat.MessagesCount }

func (s *SeenChat) LastMessageActivityAt() *time.Time {
	return unless(s.chat.LastMessageActivityAt.IsZero(), s.chat.LastMessageActivityAt)
}

func (s *SeenChat) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "chat")
	return flagStatus(s.flagged)
}

// MessagesCount counts all messages, or those that the viewer has or has not viewed.
func (s *SeenChat) MessagesCount(viewedStatus *ViewedStatus) int {
	switch deref(viewedStatus, "") {
	case NotViewed:
		return s.unviewed
	case Viewed:
		return s.chat.MessagesCount - s.unviewed
	default:
		return s.chat.MessagesCount
	}
}

// SeenChatMessage is a message as one viewer sees it. Each method is a field of the API's
// ChatMessage.
type SeenChatMessage struct {
	message      *ChatMessage
	in           *SeenChat
	viewer       UserID
	author       *SeenUser
	flagged      bool
	chatViewedAt time.Time
	tags         []TextTaggedUser
	read         Detail
}

// In is the message's chat as its reader came to it.
func (s *SeenChatMessage) In() *SeenChat { return s.in }

func (s *SeenChatMessage) MessageID() ChatMessageID { return s.message.MessageID }
func (s *SeenChatMessage) Text() string             { return s.message.Text }
func (s *SeenChatMessage) CreatedAt() time.Time     { return s.message.CreatedAt }

func (s *SeenChatMessage) LastEditedAt() *time.Time {
	return unless(s.message.LastEditedAt.IsZero(), s.message.LastEditedAt)
}

func (s *SeenChatMessage) AuthorUserID() *UserID {
	return unless(s.message.UserID == "", s.message.UserID)
}

// Author is nil for messages of the system, and for authors who are gone or block the viewer.
func (s *SeenChatMessage) Author() *SeenUser { return s.author }

func (s *SeenChatMessage) TextTaggedUsers() []TextTaggedUser {
	s.read.need(TaggedUsers, "chat message")
	return s.tags
}

func (s *SeenChatMessage) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "chat message")
	return flagStatus(s.flagged)
}

// ViewedStatus is VIEWED for authors, and for whoever viewed the chat at or after the time
// of the message.
func (s *SeenChatMessage) ViewedStatus() ViewedStatus {
	s.read.need(ViewMark, "chat message")
	return viewedStatus(s.message.UserID == s.viewer || !s.chatViewedAt.IsZero() && !s.chatViewedAt.Before(s.message.CreatedAt))
}
