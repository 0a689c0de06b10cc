package messaging

import (
	"time"

	"stoa/internal/kit/optional"
)

// SeenMessage is a message as a subscriber sees it.
type SeenMessage struct {
	message *Message
	viewer  UserID
	// author is the user who published it, if they were read.
	author *SeenUser
}

// SeenBy returns m as a viewer with a subscription sees it, and nil for others.
func (m *Message) SeenBy(v UserID, mine *Subscription) *SeenMessage {
	if !mine.Active() {
		return nil
	}
	mine.is(m.Topic, v)
	return &SeenMessage{message: m, viewer: v}
}

// By sets the author as the viewer sees them, and returns the message.
func (s *SeenMessage) By(author *SeenUser) *SeenMessage {
	author.is(s.message.From)
	s.author = author
	return s
}

// KnownAuthor returns the author as the viewer sees them, or nil if they were not read.
func (s *SeenMessage) KnownAuthor() *SeenUser { return s.author }

// AuthorID returns the author, and Ref the reference of the message.
func (s *SeenMessage) AuthorID() UserID { return s.message.From }
func (s *SeenMessage) Ref() MessageRef  { return s.message.MessageRef }

func (s *SeenMessage) ID() string            { return s.message.String() }
func (s *SeenMessage) TopicID() string       { return string(s.message.Topic) }
func (s *SeenMessage) SeqID() int            { return s.message.Seq }
func (s *SeenMessage) CreatedAt() time.Time  { return s.message.CreatedAt }
func (s *SeenMessage) UpdatedAt() time.Time  { return s.message.UpdatedAt() }
func (s *SeenMessage) DeletedAt() *time.Time { return optional.IfSet(s.message.DeletedAt) }
func (s *SeenMessage) DeletedForMe() bool    { return s.message.DeletedBy(s.viewer) }
func (s *SeenMessage) ExpiresAt() time.Time  { return s.message.Expires }
func (s *SeenMessage) ClientID() *string     { return optional.IfSet(s.message.ClientID) }

// Head and Content return null for messages that the viewer has deleted.
func (s *SeenMessage) Head() JSON {
	if s.DeletedForMe() {
		return ""
	}
	return s.message.Head
}

func (s *SeenMessage) Content() JSON {
	if s.DeletedForMe() {
		return ""
	}
	return s.message.Content
}

func (s *SeenMessage) Replaces() *int {
	if n := s.message.Replaces(); n > 0 {
		return &n
	}
	return nil
}

func (s *SeenMessage) ReplyTo() *string {
	text, _ := s.message.Head.object()[headReply].(string)
	ref, ok := reference(text, s.message.Topic, s.viewer)
	if !ok {
		return nil
	}
	id := ref.String()
	return &id
}

// Readers are the subscribers of a topic, whose receipts are counted.
type Readers []*Subscription

// Received and Read return the number of subscribers other than the sender who have
// received or read a message.
func (r Readers) Received(m *SeenMessage) int {
	return r.count(m.message, func(s *Subscription) int { return s.RecvSeqID })
}

func (r Readers) Read(m *SeenMessage) int {
	return r.count(m.message, func(s *Subscription) int { return s.ReadSeqID })
}

func (r Readers) count(m *Message, to func(*Subscription) int) (n int) {
	for _, s := range r {
		if m.Seq > 0 && s.Counts() && s.User != m.From && to(s) >= m.Seq {
			n++
		}
	}
	return n
}
