package messaging

import "time"

const (
	// MaxSubscribers is how many take part in a group at most.
	MaxSubscribers = 128
	// MaxMessage bounds content and head of a message, in bytes of JSON.
	MaxMessage = 131072
	// MaxDeleted is how many messages one call deletes by their numbers.
	MaxDeleted = 128
	// MaxDevices is how many devices somebody has.
	MaxDevices = 20
	// MaxTags is how many tags somebody chooses.
	MaxTags = 16
	// MaxLookedAt bounds the tags that a search looks at, MaxFound those whom it finds.
	MaxLookedAt = 100
	MaxFound    = 100
	// MaxUnread is what the sum of all unread messages is shown up to.
	MaxUnread = 9999
	// TokenLife is how long a token is good.
	TokenLife = 14 * 24 * time.Hour
	// HardFor is how long others than the owner may delete a message for everybody.
	HardFor = 600 * time.Second

	maxData     = 16 << 10
	minPassword = 6
	maxPassword = 72
	maxAgent    = 512
	maxDeviceID = 1024
	maxLang     = 35
	maxClientID = 128
	maxSearch   = 2048
)

// Lives are how long messages are kept, by the kind of their topic.
type Lives struct{ Group, Own, Pair time.Duration }

// DefaultLives are those without configuration.
var DefaultLives = Lives{Group: 7 * 24 * time.Hour, Own: 30 * 24 * time.Hour, Pair: 365 * 24 * time.Hour}

// Of is how long a message of a topic is kept.
func (l Lives) Of(t TopicID) time.Duration {
	switch t.Kind() {
	case P2P:
		return l.Pair
	case Group:
		return l.Group
	}
	return l.Own
}
