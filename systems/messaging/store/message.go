package store

import (
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
}

func messageKey(r messaging.MessageRef) keyspec.Key {
	return messages.Key(string(r.Topic), strconv.Itoa(r.Seq))
}

func messageItemOf(m *messaging.Message) messageItem {
	i := messageItem{*m, messaging.Short(m.MessageRef.String()), m.UpdatedAt(), m.Expires.Unix()}
	i.DeletedFor = append([]messaging.UserID{}, m.DeletedFor...)
	return i
}

func (i *messageItem) message() *messaging.Message {
	i.Expires = time.Unix(i.ExpireTime, 0).UTC()
	return &i.Message
}
