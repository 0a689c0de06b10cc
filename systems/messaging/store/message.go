package store

import (
	"cmp"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/messaging"
)

// A published message, under its number.
var messages = keyspec.Define[messageItem](Messages, keyspec.Row{Key: keyspec.K("{Topic}", "{SeqId}")})

type messageItem struct {
	messaging.Message
	ID         string    `dynamo:"Id"`
	UpdatedAt  time.Time `dynamo:"UpdatedAt"`
	ExpireTime int64     `dynamo:"ExpireTime"`
	// HeldIn is the topic of a message that is held under another name.
	HeldIn messaging.TopicID `dynamo:"HeldIn"`
}

func messageKey(r messaging.MessageRef) keyspec.Key {
	if r.Seq < 0 {
		r.Topic = r.Topic.Held()
	}
	return messages.Key(string(r.Topic), strconv.Itoa(r.Seq))
}

func messageItemOf(m *messaging.Message) messageItem {
	i := messageItem{Message: *m, ID: messaging.Short(m.MessageRef.String()), UpdatedAt: m.UpdatedAt(), ExpireTime: m.Expires.Unix()}
	if held := m.Topic.Held(); m.Seq < 0 && held != m.Topic {
		i.Topic, i.HeldIn = held, m.Topic
	}
	i.DeletedFor = append([]messaging.UserID{}, m.DeletedFor...)
	return i
}

func (i *messageItem) message() *messaging.Message {
	i.Topic = cmp.Or(i.HeldIn, i.Topic)
	i.Expires = time.Unix(i.ExpireTime, 0).UTC()
	return &i.Message
}
