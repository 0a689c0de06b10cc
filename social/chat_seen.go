package social

import (
	"time"

	"stoa/internal/kit/optional"
)

// SeenChat is a chat as a viewer sees it. Each method is a field of the API's Chat.
type SeenChat struct {
	chat   *Chat
	viewer UserID
	// open is set if the viewer may see the chat's members and messages. Otherwise they
	// only reached it through one of their own messages.
	open     bool
	unviewed int
	flagged  bool
	read     Detail
	// remains are set once moderation has ended the chat.
	remains *ChatRemains
}

// ChatRemains are the members of a chat that moderation ends, and its messages, a page of
// each: the answer to the flag that ended it shows it as it was.
type ChatRemains struct {
	// Members are those who joined last first.
	Members []UserID
	// Oldest are the messages from the first one on, Newest those from the last one back.
	Oldest, Newest []ChatMessageFacts
}

// Ended is the same chat once moderation has ended it.
func (s *SeenChat) Ended(r *ChatRemains) *SeenChat {
	ended := *s
	ended.remains = r
	return &ended
}

// Remains are those of a chat that moderation has ended, nil otherwise.
func (s *SeenChat) Remains() *ChatRemains { return s.remains }

// Glimpse returns the chat for a viewer who can see one of its messages, without further
// reads.
func (c *Chat) Glimpse(viewer UserID) *SeenChat { return &SeenChat{chat: c, viewer: viewer} }

// Unread returns the chat for a viewer who has just left it, which leaves no details to
// read.
func (s *SeenChat) Unread() *SeenChat {
	unread := *s
	unread.read, unread.flagged = FlagMark, false
	return &unread
}

// Open reports whether the viewer may see the chat's members and messages.
func (s *SeenChat) Open() bool { return s.open }

// Shows reports whether the details in d were read.
func (s *SeenChat) Shows(d Detail) bool { return s.read.Has(d & FlagMark) }

func (s *SeenChat) ChatID() ChatID       { return s.chat.ChatID }
func (s *SeenChat) ChatType() ChatType   { return s.chat.Type }
func (s *SeenChat) Name() *string        { return shownIfSet(true, s.chat.Name) }
func (s *SeenChat) CreatedAt() time.Time { return s.chat.CreatedAt }
func (s *SeenChat) UserCount() int       { return s.chat.UserCount }
func (s *SeenChat) UsersCount() int      { return s.chat.UserCount }
func (s *SeenChat) MessageCount() int    { return s.chat.MessagesCount }

func (s *SeenChat) LastMessageActivityAt() *time.Time {
	return optional.IfSet(s.chat.LastMessageActivityAt)
}

func (s *SeenChat) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "chat")
	return flagStatus(s.flagged)
}

// MessagesCount counts all messages, or those that the viewer has or has not viewed.
func (s *SeenChat) MessagesCount(viewedStatus *ViewedStatus) int {
	switch optional.Or(viewedStatus, "") {
	case NotViewed:
		return s.unviewed
	case Viewed:
		return s.chat.MessagesCount - s.unviewed
	default:
		return s.chat.MessagesCount
	}
}

// SeenChatMessage is a message as a viewer sees it. Each method is a field of the API's
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

// In is the message's chat, as reached through the message.
func (s *SeenChatMessage) In() *SeenChat { return s.in }

func (s *SeenChatMessage) MessageID() ChatMessageID { return s.message.MessageID }
func (s *SeenChatMessage) Text() string             { return s.message.Text }
func (s *SeenChatMessage) CreatedAt() time.Time     { return s.message.CreatedAt }

func (s *SeenChatMessage) LastEditedAt() *time.Time {
	return optional.IfSet(s.message.LastEditedAt)
}

func (s *SeenChatMessage) AuthorUserID() *UserID {
	return optional.IfSet(s.message.UserID)
}

// Author is nil for system messages, and for authors who no longer exist or block the
// viewer.
func (s *SeenChatMessage) Author() *SeenUser { return s.author }

func (s *SeenChatMessage) TextTaggedUsers() []TextTaggedUser {
	s.read.need(TaggedUsers, "chat message")
	return s.tags
}

func (s *SeenChatMessage) FlagStatus() FlagStatus {
	s.read.need(FlagMark, "chat message")
	return flagStatus(s.flagged)
}

// ViewedStatus is VIEWED for the author, and for viewers who viewed the chat at or after
// the time of the message.
func (s *SeenChatMessage) ViewedStatus() ViewedStatus {
	s.read.need(ViewMark, "chat message")
	return viewedStatus(s.message.UserID == s.viewer || !s.chatViewedAt.IsZero() && !s.chatViewedAt.Before(s.message.CreatedAt))
}
