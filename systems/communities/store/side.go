package store

import (
	"hash/fnv"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/internal/ops"
	"stoa/systems/communities"
)

// Rows that are not in the design are stored in the outbox table.

// Prevents a message from being sent twice, as long as the message exists.
var clientIDs = keyspec.Define[clientIDItem](ops.Table, keyspec.Row{Key: keyspec.K("communities/clientId/{chatId}/{userId}", "{clientId}")})

type clientIDItem struct {
	Chat     communities.ChatID `dynamo:"chatId,keyonly"`
	UserID   communities.UserID `dynamo:"userId,keyonly"`
	ClientID string             `dynamo:"clientId,keyonly"`
	Message  string             `dynamo:"message"`
}

func clientIDItemOf(m *communities.Message) clientIDItem {
	return clientIDItem{m.Chat.ID, m.AuthorID, m.ClientID, m.Opaque()}
}

// sent returns the error for a message that was sent before, nil if none was.
func (i *clientIDItem) sent() error {
	if i == nil {
		return nil
	}
	if sent, ok := communities.ParseMoment(i.Message); ok {
		return communities.Sent{Moment: sent}
	}
	return nil
}

// The messages that a user has reacted to, so that reactions are removed with their user.
var reactedTo = keyspec.Define[reactedItem](ops.Table, keyspec.Row{
	Key: keyspec.K("communities/reactedTo/{userId}", "{chatType}/{chatId}/{message}"),
})

type reactedItem struct {
	UserID   communities.UserID   `dynamo:"userId,keyonly"`
	ChatType communities.ChatType `dynamo:"chatType,keyonly"`
	ChatID   communities.ChatID   `dynamo:"chatId,keyonly"`
	Message  string               `dynamo:"message,keyonly"`
}

func reactedItemOf(m communities.MessageRef, id communities.UserID) reactedItem {
	return reactedItem{id, m.Chat.Type, m.Chat.ID, m.Opaque()}
}

func (i *reactedItem) ref() communities.MessageRef {
	m, _ := communities.ParseMoment(i.Message)
	return communities.MessageRef{Chat: communities.ChatRef{Type: i.ChatType, ID: i.ChatID}, Moment: m}
}

// The time of a user's last notification. Each notification is later than the previous one.
var notices = keyspec.Define[noticesItem](ops.Table, keyspec.Row{
	Key: keyspec.K("communities/notices/{userId}", "-"), Precision: time.Millisecond,
})

type noticesItem struct {
	UserID communities.UserID `dynamo:"userId,keyonly"`
	LastAt time.Time          `dynamo:"lastAt"`
}

func noticesKey(id communities.UserID) keyspec.Key { return notices.Key(string(id)) }

// The progress of an event's notifications. It is written with them, so that none is
// created twice, even if it was deleted meanwhile.
var fanOuts = keyspec.Define[fanOutItem](ops.Table, keyspec.Row{
	Key: keyspec.K("communities/fanOut/{shard}", "{at}/{event}"), Precision: time.Millisecond,
})

type fanOutItem struct {
	Shard  string    `dynamo:"shard,keyonly"`
	At     time.Time `dynamo:"at,keyonly"`
	Event  string    `dynamo:"event,keyonly"`
	Cursor string    `dynamo:"cursor"`
}

// fanOutShards is the number of partitions of the progress of fan-outs.
const fanOutShards = 16

func fanOutKey(event communities.Moment) keyspec.Key {
	return fanOuts.Key(fanOutShard(event), stamp.MilliOf(event.At), event.ID)
}

func fanOutShard(event communities.Moment) string {
	h := fnv.New32a()
	h.Write([]byte(event.ID))
	return strconv.Itoa(int(h.Sum32() % fanOutShards))
}
