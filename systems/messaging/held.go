package messaging

import (
	"cmp"
	"slices"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
)

// A message that the content check holds has no number in its topic until it is published, since
// numbers without gaps tell others how many messages there are. It is stored under a negative one,
// which counts the messages of the topic that were held, and listed in the subscription of its author,
// who alone sees it. Once it is published, a row without content points to its number; if it is
// removed, its case keeps it, and a tombstone leads from the case to the topic.

// MaxHeld is the maximum number of held messages of an author in a topic.
const MaxHeld = 20

// Refusals about held messages.
var (
	ErrTooManyHeld = refusal.New(refusal.LimitExceeded, "TOO_MANY_HELD",
		"%d messages of yours wait in this topic for a decision: delete one, or wait", MaxHeld)
	ErrHeld = refusal.New(refusal.Precondition, "HELD", "The message waits for a decision: delete it and publish another")
)

// IsHeld reports whether m is a held message, which others do not see. m may be nil.
func (m *Message) IsHeld(now time.Time) bool { return m.Exists(now) && m.Seq < 0 && m.PublishedAs == 0 }

// Held returns the name under which messages of the topic are held. That of a two-person topic does not
// tell who the two are, because cases have it even after one of them was erased.
func (t TopicID) Held() TopicID {
	if t.Kind() != P2P {
		return t
	}
	return heldPrefix + TopicID(Short(string(t)))
}

// NextHeld returns the reference of the next message of the topic that is held.
func (t *Topic) NextHeld() MessageRef { return MessageRef{t.ID, -t.HeldID - 1} }

// Holds reports whether a message is one of the held ones of the subscriber. Both may be nil.
func (s *Subscription) Holds(m *Message, now time.Time) bool {
	return s.Active() && m.IsHeld(now) && slices.Contains(s.Held, m.Seq)
}

// HeldRefs returns the references of the messages that the subscriber has, or had, held, oldest first.
func (s *Subscription) HeldRefs() []MessageRef {
	refs := slice.Map(s.Held, func(n int) MessageRef { return MessageRef{s.Topic, n} })
	slices.SortFunc(refs, func(a, b MessageRef) int { return cmp.Compare(b.Seq, a.Seq) })
	return refs
}

// Shown returns the message as others read it: its text, or else the JSON of its content.
func (m *Message) Shown() string { return cmp.Or(m.Content.Text(), string(m.Content)) }

// Holding is a message about to be held, or removed before others saw it, with its case.
type Holding struct {
	Message *Message
	// Author is the subscription of the author, as read, and Held what it lists afterwards; nil if that
	// does not change.
	Author *Subscription
	Held   []int
	Case   desk.CaseStep
}

// Releasing is a message about to be published.
type Releasing struct {
	// Was is the message as read: held, or the tombstone of a removed one.
	Was, Message *Message
	Author       *Subscription
	Case         desk.CaseStep
}

// Pointer returns the row that is left of the message where it was held.
func (r Releasing) Pointer() *Message {
	return &Message{MessageRef: r.Was.MessageRef, CreatedAt: r.Message.CreatedAt, Expires: r.Message.Expires, PublishedAs: r.Message.Seq}
}

// Read returns the receipts of the author, who has read the message if all before it were read.
func (r Releasing) Read() (read, received int) {
	read, received = r.Author.ReadSeqID, r.Author.RecvSeqID
	if read == r.Message.Seq-1 {
		return r.Message.Seq, r.Message.Seq
	}
	return read, received
}

// Stub returns the tombstone of a message that was removed before others saw it.
func (m *Message) Stub(now time.Time) *Message {
	stub := m.Erased(now)
	stub.From, stub.ClientID = "", ""
	return stub
}

// Kept returns the message in the form that its case keeps.
func (m *Message) Kept() desk.Kept {
	kept := *m
	kept.Topic = m.Topic.Held()
	return desk.Keeping(kept, m.Shown())
}
