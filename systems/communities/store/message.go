package store

import (
	"strings"

	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// Messages of both types of chats have the same form.
var (
	groupMessages   = keyspec.Define[messageItem](GroupChats, keyspec.Row{Key: keyspec.K("GROUPCHAT#{ChatId}", "MESSAGE#{CreatedAt}#{Id}")})
	privateMessages = keyspec.Define[messageItem](PrivateChats, keyspec.Row{Key: keyspec.K("PRIVATECHAT#{ChatId}", "MESSAGE#{CreatedAt}#{Id}")})
)

type messageItem struct {
	Type      string                  `dynamo:"Type"`
	ChatID    communities.ChatID      `dynamo:"ChatId,keyonly"`
	ID        string                  `dynamo:"Id"`
	Content   string                  `dynamo:"Content"`
	CreatedAt keyspec.MilliStamp      `dynamo:"CreatedAt"`
	Reactions map[string]reactionItem `dynamo:"Reactions"`
	Read      bool                    `dynamo:"Read,zero"`
	// Editted is spelled as in the design.
	Editted  bool               `dynamo:"Editted,zero"`
	AuthorID communities.UserID `dynamo:"AuthorId"`
	EditedAt keyspec.MilliStamp `dynamo:"EditedAt"`
	Deleted  bool               `dynamo:"Deleted,zero"`
	ReplyTo  string             `dynamo:"ReplyToId"`
	ClientID string             `dynamo:"ClientId"`
}

// reactionItem is an entry of Reactions, by user id.
type reactionItem struct {
	Type communities.ReactionType `dynamo:"Type"`
	At   keyspec.MilliStamp       `dynamo:"CreatedAt"`
}

func messagesOf(t communities.ChatType) *keyspec.Entity[messageItem] {
	if t == communities.Private {
		return privateMessages
	}
	return groupMessages
}

func messageKey(r communities.MessageRef) keyspec.Key {
	return messagesOf(r.Chat.Type).Key(string(r.Chat.ID), keyspec.MilliStampOf(r.At).String(), r.ID)
}

func messageItemOf(m *communities.Message) messageItem {
	i := messageItem{
		Type: "Message", ChatID: m.Chat.ID, ID: m.ID, Content: m.Content, CreatedAt: keyspec.MilliStampOf(m.At),
		Reactions: map[string]reactionItem{}, Read: m.Read, Editted: m.Edited, AuthorID: m.AuthorID,
		EditedAt: keyspec.MilliStampOf(m.EditedAt), Deleted: m.Deleted, ClientID: m.ClientID,
	}
	if !m.ReplyTo.IsZero() {
		i.ReplyTo = m.ReplyTo.Opaque()
	}
	for id, r := range m.Reactions {
		i.Reactions[string(id)] = reactionItem{r.Type, keyspec.MilliStampOf(r.At)}
	}
	return i
}

func (i *messageItem) message(t communities.ChatType) *communities.Message {
	m := &communities.Message{
		MessageRef: communities.MessageRef{Chat: communities.ChatRef{Type: t, ID: i.ChatID}, Moment: communities.Moment{At: i.CreatedAt.Time(), ID: i.ID}},
		AuthorID:   i.AuthorID, Content: i.Content, EditedAt: i.EditedAt.Time(), Edited: i.Editted, Read: i.Read, Deleted: i.Deleted,
		ClientID: i.ClientID, Reactions: make(map[communities.UserID]communities.Reaction, len(i.Reactions)),
	}
	m.ReplyTo, _ = communities.ParseMoment(i.ReplyTo)
	for id, r := range i.Reactions {
		m.Reactions[communities.UserID(id)] = communities.Reaction{UserID: communities.UserID(id), Type: r.Type, At: r.At.Time()}
	}
	return m
}

// inReactions returns the path of a user's entry in Reactions.
func inReactions(id communities.UserID) keyspec.Path { return keyspec.In("Reactions", string(id)) }

// bareKey returns a message's sort key without its prefix.
func bareKey(key string) string { return strings.TrimPrefix(key, "MESSAGE#") }
