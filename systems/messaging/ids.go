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

// UserID names a user: 11 characters, base64url of 64 random bits. Clients get it with a
// prefix, see Public.
type UserID = viewer.UserID

// TopicID is the name of a topic.
type TopicID string

// Topics are told apart by how their names begin.
const (
	ownPrefix   = "usr"
	findPrefix  = "fnd"
	pairPrefix  = "p2p"
	groupPrefix = "grp"
)

// NewID is an id of 64 random bits.
func NewID(random io.Reader) (string, error) {
	raw := make([]byte, 8)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", err
	}
	return encode(raw), nil
}

// Short is an id of 64 bits, made of one that has more.
func Short(id string) string {
	sum := sha256.Sum256([]byte(id))
	return encode(sum[:8])
}

// NewGroup is the name of a group.
func NewGroup(short string) TopicID { return TopicID(groupPrefix + short) }

// OwnTopic and FindTopic are the two topics that every user has alone.
func OwnTopic(id UserID) TopicID  { return TopicID(ownPrefix + string(id)) }
func FindTopic(id UserID) TopicID { return TopicID(findPrefix + string(id)) }

// PairTopic is the topic of two different people, whoever asks.
func PairTopic(a, b UserID) TopicID {
	x, y := decode(string(a)), decode(string(b))
	if binary.LittleEndian.Uint64(x) > binary.LittleEndian.Uint64(y) {
		x, y = y, x
	}
	return TopicID(pairPrefix + encode(append(x[:8:8], y...)))
}

// PublicID is a user's id as clients get it.
func PublicID(id UserID) string { return ownPrefix + string(id) }

// ParseUser reads what PublicID made, and reports false for anything else.
func ParseUser(text string) (UserID, bool) {
	id, ok := strings.CutPrefix(text, ownPrefix)
	return UserID(id), ok && isShort(id)
}

// ParseTopic reads a topic as a user names it, for whom a two-person topic goes by the
// other one as well. It reports false for what names no topic that the user could have.
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

// Kind is what the topic is.
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

// Pair are the people of a two-person topic, the lower number first.
func (t TopicID) Pair() (a, b UserID, ok bool) {
	text, ok := strings.CutPrefix(string(t), pairPrefix)
	raw := decode(text)
	if !ok || len(raw) != 16 {
		return "", "", false
	}
	return UserID(encode(raw[:8])), UserID(encode(raw[8:])), true
}

// Peer is the other one of a two-person topic, "" when there is none.
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

// Owner is who a topic of one person belongs to.
func (t TopicID) Owner() UserID { return UserID(t[len(ownPrefix):]) }

// SubscriptionRef names a subscription.
type SubscriptionRef struct {
	Topic TopicID
	User  UserID
}

func (r SubscriptionRef) String() string { return string(r.Topic) + ":" + string(r.User) }

// MessageRef names a message.
type MessageRef struct {
	Topic TopicID
	Seq   int
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
