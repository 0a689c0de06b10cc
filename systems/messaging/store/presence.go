package store

import (
	"hash/fnv"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/systems/messaging"
)

// The sessions of a user. The design does not have them, so they are in the outbox table.
var sessions = keyspec.Define[sessionsItem](ops.Table, keyspec.Row{
	Key: keyspec.K("messaging/sessions/{shard}", "{userId}"), Precision: time.Millisecond,
})

type sessionsItem struct {
	Shard string `dynamo:"shard,keyonly"`
	messaging.Sessions
}

// sessionShards is the number of partitions of sessions.
const sessionShards = 16

func sessionShard(id messaging.UserID) string {
	h := fnv.New32a()
	h.Write([]byte(id))
	return strconv.Itoa(int(h.Sum32() % sessionShards))
}

func sessionsKey(id messaging.UserID) keyspec.Key { return sessions.Key(sessionShard(id), string(id)) }

func sessionsItemOf(s *messaging.Sessions) sessionsItem {
	return sessionsItem{sessionShard(s.User), *s}
}

func (i *sessionsItem) sessions() *messaging.Sessions { return &i.Sessions }
