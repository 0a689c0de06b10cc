package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Blocks stores the blocks between users.
type Blocks struct{ db *keyspec.DB }

// Add stores a block, removes the follows that the step ends, and stores e. Follows and likes
// between the two that have been decided but not stored are refused, since they name an
// earlier version of their blocks. It fails with Conflict if the block exists, the blocked
// user is no longer active, or the follows between the two have changed.
func (s *Blocks) Add(ctx context.Context, step social.BlockStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	b, since := step.Block, step.Since
	blocks.Put(tx, b).If("attribute_not_exists(blockedAt) OR blockedAt < ?", since)
	ended := map[keyspec.Key]bool{}
	for _, end := range step.Ends {
		takeStep(tx, end)
		ended[followKey(end.Follow.FollowerUserID, end.Follow.FollowedUserID)] = true
	}
	for _, absent := range []keyspec.Key{followKey(b.BlockerUserID, b.BlockedUserID), followKey(b.BlockedUserID, b.BlockerUserID)} {
		if !ended[absent] {
			follows.Check(tx, absent).If("attribute_not_exists(followedAt) OR followedAt < ?", since)
		}
	}
	profiles.Update(tx, profileKey(b.BlockerUserID)).If(hadProfile, since).Shift("blocksVersion", 1)
	profiles.Update(tx, profileKey(b.BlockedUserID)).If(hadProfile, since).Shift("blocksVersion", 1).
		If("attribute_not_exists(userStatus) OR userStatus = ?", social.UserActive)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Remove removes a block and stores e. It fails with Conflict if the block no longer
// exists.
func (s *Blocks) Remove(ctx context.Context, b social.Block, e ...outbox.Record) error {
	tx := s.db.NewTx()
	blocks.Delete(tx, blockKey(b.BlockerUserID, b.BlockedUserID)).Exists()
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// ByUser returns the blocks of a user, newest first, by A1.
func (s *Blocks) ByUser(ctx context.Context, blocker social.UserID, q page.Query) (page.Page[social.Block], error) {
	return stored.List(ctx, s.db, blocks.Begins(A1, string(blocker)), q, true, stored.Value)
}

// ByBlocked returns the blocks against a user, by A2.
func (s *Blocks) ByBlocked(ctx context.Context, blocked social.UserID, q page.Query) (page.Page[social.Block], error) {
	return stored.List(ctx, s.db, blocks.Begins(A2, string(blocked)), q, false, stored.Value)
}

// RemoveLeftover removes a block of a removed user, unless it has been replaced by a new
// one.
func (s *Blocks) RemoveLeftover(ctx context.Context, b social.Block) error {
	tx := s.db.NewTx()
	blocks.Delete(tx, blockKey(b.BlockerUserID, b.BlockedUserID)).
		If("attribute_not_exists(blockedAt) OR blockedAt = ?", b.BlockedAt)
	return stored.Outcome(tx.Run(ctx))
}
