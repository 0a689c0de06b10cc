package messaging

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"stoa/internal/kit/viewer"
)

// UserID identifies a user: 11 characters, the base64url encoding of 64 random bits.
// Clients get it with a prefix; see PublicID.
type UserID = viewer.UserID

// TopicID is the name of a topic.
type TopicID string

// Prefixes of topic names, which distinguish the kinds of topics.
const (
	ownPrefix   = "usr"
	findPrefix  = "fnd"
	pairPrefix  = "p2p"
	groupPrefix = "grp"
	heldPrefix  = "hld" // in place of that of two-person topics, see TopicID.Held
)

// NewID returns an id of 64 random bits.
func NewID(random io.Reader) (string, error) {
	raw := make([]byte, 8)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", err
	}
	return encode(raw), nil
}

// Short returns an id of 64 bits derived from a longer one.
func Short(id string) string {
	sum := sha256.Sum256([]byte(id))
	return encode(sum[:8])
}

// NewGroup returns the name of a group.
func NewGroup(short string) TopicID { return TopicID(groupPrefix + short) }

// OwnTopic and FindTopic return the names of the two topics that every user has alone.
func OwnTopic(id UserID) TopicID  { return TopicID(ownPrefix + string(id)) }
func FindTopic(id UserID) TopicID { return TopicID(findPrefix + string(id)) }

// PairTopic returns the name of the topic of two different people, in either order.
func PairTopic(a, b UserID) TopicID {
	x, y := decode(string(a)), decode(string(b))
	if binary.LittleEndian.Uint64(x) > binary.LittleEndian.Uint64(y) {
		x, y = y, x
	}
	return TopicID(pairPrefix + encode(append(x[:8:8], y...)))
}

// PublicID returns a user's id as clients get it.
func PublicID(id UserID) string { return ownPrefix + string(id) }

// ParseUser parses the result of PublicID. It returns false for other texts.
func ParseUser(text string) (UserID, bool) {
	id, ok := strings.CutPrefix(text, ownPrefix)
	return UserID(id), ok && isShort(id)
}

// ParseTopic parses the name of a topic given by a user, which may be the id of the other
// user of a two-person topic. It returns false if the user cannot have such a topic.
func ParseTopic(text string, by UserID) (TopicID, bool) {
	if len(text) < len(ownPrefix) {
		return "", false
	}
	prefix, rest := text[:len(ownPrefix)], text[len(ownPrefix):]
	switch {
	case prefix == ownPrefix && UserID(rest) == by, prefix == findPrefix && UserID(rest) == by:
		return TopicID(text), isShort(rest)
	case prefix == ownPrefix && isShort(rest) && isShort(string(by)):
		return PairTopic(UserID(rest), by), true
	case prefix == groupPrefix:
		return TopicID(text), isShort(rest)
	case prefix == pairPrefix:
		a, b, ok := TopicID(text).Pair()
		return TopicID(text), ok && PairTopic(a, b) == TopicID(text)
	}
	return "", false
}

// Kind returns the kind of the topic.
func (t TopicID) Kind() TopicKind {
	switch {
	case strings.HasPrefix(string(t), pairPrefix):
		return P2P
	case strings.HasPrefix(string(t), ownPrefix):
		return Me
	case strings.HasPrefix(string(t), findPrefix):
		return Find
	}
	return Group
}

// Pair returns the users of a two-person topic, the one with the lower number first.
func (t TopicID) Pair() (a, b UserID, ok bool) {
	text, ok := strings.CutPrefix(string(t), pairPrefix)
	raw := decode(text)
	if !ok || len(raw) != 16 {
		return "", "", false
	}
	return UserID(encode(raw[:8])), UserID(encode(raw[8:])), true
}

// Peer returns the other user of a two-person topic, or "" if there is none.
func (t TopicID) Peer(id UserID) UserID {
	a, b, _ := t.Pair()
	switch id {
	case a:
		return b
	case b:
		return a
	}
	return ""
}

// Owner returns the user of a topic that belongs to a single user.
func (t TopicID) Owner() UserID { return UserID(t[len(ownPrefix):]) }

// SubscriptionRef identifies a subscription.
type SubscriptionRef struct {
	Topic TopicID `dynamo:"Topic"`
	User  UserID  `dynamo:"User"`
}

func (r SubscriptionRef) String() string { return string(r.Topic) + ":" + string(r.User) }

// MessageRef identifies a message.
type MessageRef struct {
	Topic TopicID `dynamo:"Topic"`
	Seq   int     `dynamo:"SeqId"`
}

func (r MessageRef) String() string { return string(r.Topic) + ":" + strconv.Itoa(r.Seq) }

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func decode(text string) []byte {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}

// isShort reports whether text is an id of 64 bits.
func isShort(text string) bool { return len(text) == 11 && len(decode(text)) == 8 }
