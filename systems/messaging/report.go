package messaging

import (
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
)

// SystemName is the name of the system in cases.
const SystemName = "messaging"

// CaseItem returns the message as the item of a case.
func (r MessageRef) CaseItem() desk.Item {
	if r.Seq < 0 {
		r.Topic = r.Topic.Held()
	}
	return desk.Item{System: SystemName, Kind: desk.Message, ItemID: r.String()}
}

// MessageOf returns the message that a case is about. If it was held, the topic may be as returned by Held.
func MessageOf(i desk.Item) (MessageRef, bool) {
	topic, number, ok := strings.Cut(i.ItemID, ":")
	seq, err := strconv.Atoi(number)
	return MessageRef{TopicID(topic), seq}, ok && err == nil && i.Kind == desk.Message
}

// Refusals of reports.
var (
	ErrNotGroup   = badInput("NOT_A_GROUP", "Only messages of groups are reported: block the other user instead")
	ErrOwnMessage = refusal.New(refusal.Precondition, "OWN_MESSAGE", "Nobody reports their own messages")
)

// HasMessage reports whether others see a message of the topic. Either may be nil.
func (t *Topic) HasMessage(m *Message, now time.Time) bool {
	return t != nil && t.Exists() && m.Exists(now) && m.Seq > t.ClearID
}
