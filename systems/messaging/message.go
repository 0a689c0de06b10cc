package messaging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Message is a published message.
type Message struct {
	MessageRef
	From      UserID
	CreatedAt time.Time
	// DeletedAt is when it was deleted for everybody; zero if it was not.
	DeletedAt  time.Time
	DeletedFor []UserID
	Head       JSON
	Content    JSON
	// Expires has a precision of seconds.
	Expires  time.Time
	ClientID string
}

// UpdatedAt returns when the message was published or deleted.
func (m *Message) UpdatedAt() time.Time {
	if !m.DeletedAt.IsZero() {
		return m.DeletedAt
	}
	return m.CreatedAt
}

// Lives reports whether the message exists and has neither been deleted for everybody nor
// expired.
func (m *Message) Lives(now time.Time) bool {
	return m.There(now) && m.DeletedAt.IsZero()
}

// There reports whether the message, possibly deleted for everybody, exists and has not
// expired.
func (m *Message) There(now time.Time) bool { return m != nil && now.Before(m.Expires) }

// DeletedBy reports whether a user has deleted the message for themselves.
func (m *Message) DeletedBy(id UserID) bool { return slices.Contains(m.DeletedFor, id) }

// Erased returns m after it is deleted for everybody.
func (m *Message) Erased(now time.Time) *Message {
	erased := *m
	erased.DeletedAt, erased.Head, erased.Content = now, "", ""
	return &erased
}

// Members of a head that have a meaning to the service.
const (
	headReplace   = "replace"
	headReply     = "reply"
	headForwarded = "forwarded"
	headSender    = "sender"
	headMime      = "mime"
)

var seqForm = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// ParseHead checks the head of a message published in a topic. It removes members that only
// the server may set, and names two-person topics in references as they are stored: the id
// of the other user means another topic to them.
func ParseHead(head JSON, t TopicID, by UserID) (JSON, error) {
	if head.IsNull() {
		return "", nil
	}
	members := head.object()
	if members == nil {
		return "", badInput("INVALID_HEAD", "head is an object")
	}
	delete(members, headSender)
	if len(members) == 0 {
		return "", nil
	}
	for name, value := range members {
		if err := checkHead(name, value, t, by); err != nil {
			return "", err
		}
		if text, _ := value.(string); (name == headReply || name == headForwarded) && !strings.HasPrefix(text, ":") {
			ref, _ := reference(text, t, by)
			members[name] = ref.String()
		}
	}
	return JSONOf(members)
}

func checkHead(name string, value any, t TopicID, by UserID) error {
	text, isText := value.(string)
	bad := func(what string) error { return badInput("INVALID_HEAD", "head.%s %s", name, what) }
	switch name {
	case headReplace:
		if number, ok := strings.CutPrefix(text, ":"); !ok || !seqForm.MatchString(number) {
			return bad("is a colon and the number of a message of this topic, such as :5")
		}
	case headReply:
		if ref, ok := reference(text, t, by); !ok || ref.Topic != t {
			return bad("is this topic, a colon and the number of a message, or just :5")
		}
	case headMime, "thread":
		if !isText || text == "" {
			return bad("is a text")
		}
	case headForwarded:
		if _, ok := reference(text, t, by); !ok {
			return bad("is a topic, a colon and the number of a message")
		}
	case "mentions":
		list, ok := value.([]any)
		if !ok || slices.ContainsFunc(list, func(e any) bool { text, _ := e.(string); _, ok := ParseUser(text); return !ok }) {
			return bad("is a list of user ids")
		}
	case "attachments":
		if _, ok := value.([]any); !ok {
			return bad("is a list")
		}
	case "auto":
		if _, ok := value.(bool); !ok {
			return bad("is true or false")
		}
	}
	return nil
}

// reference parses a reference to a message within a topic.
func reference(text string, within TopicID, by UserID) (MessageRef, bool) {
	name, number, ok := strings.Cut(text, ":")
	if !ok || !seqForm.MatchString(number) {
		return MessageRef{}, false
	}
	t := within
	if name != "" {
		if t, ok = ParseTopic(name, by); !ok {
			return MessageRef{}, false
		}
	}
	seq, err := strconv.Atoi(number)
	return MessageRef{t, seq}, err == nil
}

// Replaces returns the number of the message that this one replaces, or 0.
func (m *Message) Replaces() int { return ReplacedBy(m.Head) }

// ReplacedBy returns the number of the message that one with the given head replaces, or 0.
func ReplacedBy(head JSON) int {
	if !strings.Contains(string(head), headReplace) {
		return 0
	}
	text, _ := head.object()[headReplace].(string)
	seq, _ := strconv.Atoi(strings.TrimPrefix(text, ":"))
	return seq
}

// RepliedBy returns the number of the message that one with the given head replies to, or 0.
func RepliedBy(head JSON) int {
	text, _ := head.object()[headReply].(string)
	ref, _ := reference(text, "", "")
	return ref.Seq
}

// ErrReference is returned for replies to messages that do not exist yet.
var ErrReference = badInput("INVALID_HEAD", "head.reply refers to a message that was not published yet")

// Replacing returns the head of a message that replaces another with the given head.
func Replacing(seq int, old JSON) JSON {
	members := old.object()
	head := map[string]any{headReplace: ":" + strconv.Itoa(seq)}
	if mime, ok := members[headMime]; ok {
		head[headMime] = mime
	}
	text, err := JSONOf(head)
	if err != nil {
		return ""
	}
	return text
}

// Mime returns the type of the content, or "" if unset.
func (m *Message) Mime() string {
	mime, _ := m.Head.object()[headMime].(string)
	return mime
}

// Draft is a message to be published.
type Draft struct {
	Content, Head JSON
	NoEcho        bool
	ClientID      *string
}

// CheckSize refuses content and head whose total size is too large.
func CheckSize(content, head JSON) error {
	if n := len(content) + len(head); n > MaxMessage {
		return TooLarge(n)
	}
	return nil
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
		if s.Counts() && s.User != m.From && to(s) >= m.Seq {
			n++
		}
	}
	return n
}

// SeenMessage is a message as a subscriber sees it.
type SeenMessage struct {
	message *Message
	viewer  UserID
	// author is the user who published it, if they were read.
	author *SeenUser
}

// SeenBy returns m as a viewer with a subscription sees it, and nil for others.
func (m *Message) SeenBy(v UserID, mine *Subscription) *SeenMessage {
	if !mine.Lasts() {
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
func (s *SeenMessage) DeletedAt() *time.Time { return orNil(s.message.DeletedAt) }
func (s *SeenMessage) DeletedForMe() bool    { return s.message.DeletedBy(s.viewer) }
func (s *SeenMessage) ExpiresAt() time.Time  { return s.message.Expires }
func (s *SeenMessage) ClientID() *string     { return textOrNil(s.message.ClientID) }

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
