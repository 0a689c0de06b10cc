package store

import (
	"hash/fnv"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/systems/messaging"
)

// Rows that are not in the design are stored in the outbox table.

// The lowest version of a user's valid tokens. Without a row, no tokens were revoked.
var versions = keyspec.Define[versionItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/tokens/{userId}", "-")})

type versionItem struct {
	UserID  messaging.UserID `dynamo:"userId,keyonly"`
	Version int              `dynamo:"version"`
}

// The owner of a device, which is at most one user.
var deviceOwners = keyspec.Define[deviceOwnerItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/device/{device}", "-")})

type deviceOwnerItem struct {
	Device string           `dynamo:"device,keyonly"`
	UserID messaging.UserID `dynamo:"userId"`
}

// The sessions of a user.
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
