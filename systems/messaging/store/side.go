package store

import (
	"hash/fnv"
	"strconv"

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
var sessions = keyspec.Define[sessionsItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/sessions/{shard}", "{userId}")})

type sessionsItem struct {
	Shard     string                 `dynamo:"shard,keyonly"`
	UserID    messaging.UserID       `dynamo:"userId,keyonly"`
	Open      map[string]sessionItem `dynamo:"open"`
	Revision  int                    `dynamo:"revision,zero"`
	Agent     string                 `dynamo:"agent"`
	AgentAt   keyspec.MilliStamp     `dynamo:"agentAt"`
	Announced bool                   `dynamo:"told,zero"`
}

type sessionItem struct {
	Until keyspec.MilliStamp `dynamo:"until"`
	Topic messaging.TopicID  `dynamo:"topic"`
	Agent string             `dynamo:"agent"`
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
	i := sessionsItem{
		Shard: sessionShard(s.User), UserID: s.User, Open: map[string]sessionItem{}, Revision: s.Revision,
		Agent: s.AnnouncedAgent, AgentAt: keyspec.MilliStampOf(s.AgentAt), Announced: s.Announced,
	}
	for id, session := range s.Open {
		i.Open[id] = sessionItem{keyspec.MilliStampOf(session.Until), session.Topic, session.Agent}
	}
	return i
}

func (i *sessionsItem) sessions() *messaging.Sessions {
	s := &messaging.Sessions{User: i.UserID, Open: map[string]messaging.Session{}, Revision: i.Revision, AnnouncedAgent: i.Agent, AgentAt: i.AgentAt.Time(), Announced: i.Announced}
	for id, session := range i.Open {
		s.Open[id] = messaging.Session{Until: session.Until.Time(), Topic: session.Topic, Agent: session.Agent}
	}
	return s
}
