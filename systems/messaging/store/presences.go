package store

import (
	"context"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// PresenceStore stores sessions.
type PresenceStore struct{ Reader }

// Swap replaces the sessions of a user; nil means none. left is zero unless the user has
// just gone offline. It fails with refusal.Conflict if the sessions are not as before.
func (s *PresenceStore) Swap(ctx context.Context, before, after *messaging.Sessions, left messaging.Left, events ...outbox.Record) error {
	tx := s.db.NewTx()
	switch {
	case after != nil:
		put := sessions.Put(tx, sessionsItemOf(after))
		if before == nil {
			put.Absent()
		} else {
			put.If("revision = ?", before.Revision)
		}
	case before != nil:
		sessions.Delete(tx, sessionsKey(before.User)).If("revision = ?", before.Revision)
	}
	var user keyspec.Update
	if !left.At.IsZero() {
		user = users.Update(tx, userKey(before.User)).Set("LastSeen", left.At)
		if left.Agent != "" {
			user.Set("UserAgent", left.Agent)
		}
	}
	err := ops.Commit(ctx, tx, events...)
	if !left.At.IsZero() && keyspec.Refused(err, user) {
		return s.Swap(ctx, before, after, messaging.Left{}, events...) // the account is gone
	}
	return stored.Concurrent(err)
}

// Shards returns the number of partitions of sessions, for All.
func (s *PresenceStore) Shards() int { return sessionShards }

// All returns the sessions in a partition.
func (s *PresenceStore) All(ctx context.Context, shard int, q page.Query) (page.Page[*messaging.Sessions], error) {
	return stored.List(ctx, s.db, sessions.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*sessionsItem).sessions)
}
