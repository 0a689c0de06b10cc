package messaging

import "time"

const (
	// MaxSubscribers is the maximum number of subscribers of a group.
	MaxSubscribers = 128
	// MaxMessage is the maximum size of the content and head of a message, in bytes of
	// JSON.
	MaxMessage = 131072
	// MaxDeleted is the maximum number of single messages deleted by one call.
	MaxDeleted = 128
	// DeletedTogether is the maximum number of messages that one transaction deletes.
	DeletedTogether = 90
	// WithdrawnTogether is the maximum number of offers of a group that one transaction withdraws,
	// each with its event.
	WithdrawnTogether = 40
	// MaxDevices is the maximum number of a user's devices.
	MaxDevices = 20
	// MaxTags is the maximum number of tags that a user may choose.
	MaxTags = 16
	// MaxLookedAt is the maximum number of tags that a search reads, MaxFound the maximum
	// number of people that it returns.
	MaxLookedAt = 100
	MaxFound    = 100
	// MaxUnread is the largest displayed sum of unread messages.
	MaxUnread = 9999
	// TokenLife is the lifetime of a token.
	TokenLife = 14 * 24 * time.Hour
	// HardDeletionPeriod is how long after publication subscribers other than the owner may delete a
	// message for everybody.
	HardDeletionPeriod = 600 * time.Second

	maxData     = 16 << 10
	minPassword = 6
	maxPassword = 72
	maxAgent    = 512
	maxDeviceID = 1024
	maxLang     = 35
	maxClientID = 128
	maxSearch   = 2048
)

// Lifetimes are the lifetimes of messages by kind of topic.
type Lifetimes struct{ Group, Own, Pair time.Duration }

// DefaultLifetimes are the lifetimes if none are configured.
var DefaultLifetimes = Lifetimes{Group: 7 * 24 * time.Hour, Own: 30 * 24 * time.Hour, Pair: 365 * 24 * time.Hour}

// Of returns the lifetime of messages of a topic.
func (l Lifetimes) Of(t TopicID) time.Duration {
	switch t.Kind() {
	case P2P:
		return l.Pair
	case Group:
		return l.Group
	}
	return l.Own
}
