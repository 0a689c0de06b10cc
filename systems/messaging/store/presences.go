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

// PresenceStore keeps who is there.
type PresenceStore struct{ Reader }

// Swap stores who is there of a user, as it was and is to be; nil is nobody. Left is zero
// unless the user has just gone. It fails with ErrChanged where it is not as it was.
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
		user = users.Update(tx, userKey(before.User)).Set("LastSeen", keyspec.MilliStampOf(left.At))
		if left.Agent != "" {
			user.Set("UserAgent", left.Agent)
		}
	}
	ops.Record(tx, events...)
	err := tx.Run(ctx)
	if !left.At.IsZero() && keyspec.Refused(err, user) {
		return s.Swap(ctx, before, after, messaging.Left{}, events...) // the account is gone
	}
	return stored.Outcome(err)
}

// Shards is how many partitions All reads.
func (s *PresenceStore) Shards() int { return sessionShards }

// All lists who is there in a partition.
func (s *PresenceStore) All(ctx context.Context, shard int, q page.Query) (page.Page[*messaging.Sessions], error) {
	return stored.List(ctx, s.db, sessions.Begins(keyspec.Primary, strconv.Itoa(shard)), q, false, (*sessionsItem).sessions)
}
