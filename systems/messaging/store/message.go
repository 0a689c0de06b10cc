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
	ID         string              `dynamo:"Id"`
	CreatedAt  keyspec.MilliStamp  `dynamo:"CreatedAt"`
	UpdatedAt  keyspec.MilliStamp  `dynamo:"UpdatedAt"`
	DeletedAt  *keyspec.MilliStamp `dynamo:"DeletedAt,null"`
	DeletedFor []string            `dynamo:"DeletedFor"`
	From       messaging.UserID    `dynamo:"From"`
	Topic      messaging.TopicID   `dynamo:"Topic"`
	SeqID      int                 `dynamo:"SeqId"`
	Head       keyspec.JSON        `dynamo:"Head,null"`
	Content    keyspec.JSON        `dynamo:"Content,null"`
	ExpireTime int64               `dynamo:"ExpireTime"`
	// ClientId is not in the design, and absent if no client id was given.
	ClientID string `dynamo:"ClientId"`
}

func messageKey(r messaging.MessageRef) keyspec.Key {
	return messages.Key(string(r.Topic), strconv.Itoa(r.Seq))
}

func messageItemOf(m *messaging.Message) messageItem {
	i := messageItem{
		ID: messaging.Short(m.MessageRef.String()), CreatedAt: keyspec.MilliStampOf(m.CreatedAt), UpdatedAt: keyspec.MilliStampOf(m.UpdatedAt()),
		DeletedAt: whenOrNull(m.DeletedAt), DeletedFor: []string{}, From: m.From, Topic: m.Topic, SeqID: m.Seq,
		Head: keyspec.JSON(m.Head), Content: keyspec.JSON(m.Content), ExpireTime: m.Expires.Unix(), ClientID: m.ClientID,
	}
	for _, id := range m.DeletedFor {
		i.DeletedFor = append(i.DeletedFor, string(id))
	}
	return i
}

func (i *messageItem) message() *messaging.Message {
	m := &messaging.Message{
		MessageRef: messaging.MessageRef{Topic: i.Topic, Seq: i.SeqID}, From: i.From, CreatedAt: i.CreatedAt.Time(), DeletedAt: timeOf(i.DeletedAt),
		Head: messaging.JSON(i.Head), Content: messaging.JSON(i.Content), Expires: time.Unix(i.ExpireTime, 0).UTC(), ClientID: i.ClientID,
	}
	for _, id := range i.DeletedFor {
		m.DeletedFor = append(m.DeletedFor, messaging.UserID(id))
	}
	return m
}
