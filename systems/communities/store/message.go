package store

import (
	"strings"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/systems/communities"
)

// Messages of both types of chats have the same form.
var (
	groupMessages   = keyspec.Define[messageItem](GroupChats, keyspec.Row{Key: keyspec.K("GROUPCHAT#{ChatId}", "MESSAGE#{CreatedAt}#{Id}")})
	privateMessages = keyspec.Define[messageItem](PrivateChats, keyspec.Row{Key: keyspec.K("PRIVATECHAT#{ChatId}", "MESSAGE#{CreatedAt}#{Id}")})
)

type messageItem struct {
	Type   string             `dynamo:"Type"`
	ChatID communities.ChatID `dynamo:"ChatId,keyonly"`
	communities.Message
	ReplyTo string `dynamo:"ReplyToId"`
}

func messagesOf(t communities.ChatType) *keyspec.Entity[messageItem] {
	if t == communities.Private {
		return privateMessages
	}
	return groupMessages
}

func messageKey(r communities.MessageRef) keyspec.Key {
	return messagesOf(r.Chat.Type).Key(string(r.Chat.ID), stamp.MilliOf(r.At), r.ID)
}

func messageItemOf(m *communities.Message) messageItem {
	i := messageItem{Type: "Message", ChatID: m.Chat.ID, Message: *m}
	if m.Reactions == nil {
		i.Reactions = map[communities.UserID]communities.Reaction{}
	}
	if !m.ReplyTo.IsZero() {
		i.ReplyTo = m.ReplyTo.Opaque()
	}
	return i
}

func (i *messageItem) message(t communities.ChatType) *communities.Message {
	m := &i.Message
	m.Chat = communities.ChatRef{Type: t, ID: i.ChatID}
	m.ReplyTo, _ = communities.ParseMoment(i.ReplyTo)
	for id, r := range m.Reactions {
		r.UserID = id
		m.Reactions[id] = r
	}
	return m
}

// inReactions returns the path of a user's entry in Reactions.
func inReactions(id communities.UserID) keyspec.Path { return keyspec.In("Reactions", string(id)) }

// bareKey returns a message's sort key without its prefix.
func bareKey(key string) string { return strings.TrimPrefix(key, "MESSAGE#") }
