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

// Follows stores the follows between users.
type Follows struct{ db *keyspec.DB }

func followKey(follower, followed social.UserID) keyspec.Key {
	return follows.Key(string(followed), string(follower))
}

func blockKey(blocker, blocked social.UserID) keyspec.Key {
	return blocks.Key(string(blocked), string(blocker))
}

// Pair returns the follow between two users. A missing record is NotFollowing.
func (s *Follows) Pair(ctx context.Context, follower, followed social.UserID) (social.Follow, error) {
	item, err := follows.Get(ctx, s.db, followKey(follower, followed))
	if err != nil {
		return social.Follow{}, err
	}
	if item == nil {
		return social.Follow{FollowerUserID: follower, FollowedUserID: followed, Status: social.NotFollowing}, nil
	}
	return *item, nil
}

// Followed returns a user's follows in a status, newest first, from A1.
func (s *Follows) Followed(ctx context.Context, follower social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error) {
	return stored.List(ctx, s.db, follows.Begins(A1, string(follower), string(status)), q, true, stored.Value)
}

// Followers returns the follows that a user has received, newest first, from A2.
func (s *Follows) Followers(ctx context.Context, followed social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error) {
	return stored.List(ctx, s.db, follows.Begins(A2, string(followed), string(status)), q, true, stored.Value)
}

// Move stores a step with its counters, and e. It fails with Conflict if the facts of the
// decision no longer hold.
func (s *Follows) Move(ctx context.Context, step social.FollowStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	takeStep(tx, step)
	// Leftovers of a removed user are cleaned up only once, so nothing may be added
	// afterwards.
	profiles.Check(tx, profileKey(step.Follow.FollowerUserID)).If(hadProfile, step.Follow.FollowedAt)
	if step.From == social.Following && step.Follow.Status == social.FollowDenied {
		// What they have yet to give the followed user, who may have been public until now, is
		// decided again. Their counter is in the same item.
		profiles.Update(tx, profileKey(step.Follow.FollowerUserID)).Shift("blocksVersion", 1)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// ByFollower returns all follows of a user, in any status, from A1.
func (s *Follows) ByFollower(ctx context.Context, follower social.UserID, q page.Query) (page.Page[social.Follow], error) {
	return stored.List(ctx, s.db, follows.Begins(A1, string(follower)), q, false, stored.Value)
}

// ByFollowed returns all follows that a user has received, in any status, from A2.
func (s *Follows) ByFollowed(ctx context.Context, followed social.UserID, q page.Query) (page.Page[social.Follow], error) {
	return stored.List(ctx, s.db, follows.Begins(A2, string(followed)), q, false, stored.Value)
}

// Sever removes a follow of a removed user, updates the counters of the other user only,
// and stores e. It fails with Conflict if the follow or the other user's profile has been
// replaced.
func (s *Follows) Sever(ctx context.Context, end social.Severance, e ...outbox.Record) error {
	tx := s.db.NewTx()
	item := followIn(end.Step.Follow, end.Step.From)
	follows.Delete(tx, follows.KeyOf(item)).If("followStatus = ? AND followedAt = ?", item.Status, item.FollowedAt)
	left := profiles.Check(tx, profileKey(end.Left))
	switch {
	case end.LeftSince.IsZero():
		left.If(lacksProfile, item.FollowedAt)
	case end.Left == item.FollowerUserID:
		left.If("signedUpAt = ?", end.LeftSince)
		followerCounts.Moved(tx, item, nil)
	default:
		left.If("signedUpAt = ?", end.LeftSince)
		followedCounts.Moved(tx, item, nil)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// takeStep adds a step to a transaction, with its conditions and counters. The caller must
// check that the follower still has the profile they followed with.
func takeStep(tx *keyspec.Tx, step social.FollowStep) {
	before, after := followIn(step.Follow, step.From), followIn(step.Follow, step.Follow.Status)
	switch {
	case before == nil:
		follows.Create(tx, *after)
	case after == nil:
		follows.Delete(tx, follows.KeyOf(before)).If("followStatus = ? AND followedAt = ?", step.From, before.FollowedAt)
	default:
		follows.Change(tx, *before, *after).If("followStatus = ? AND followedAt = ?", step.From, before.FollowedAt)
	}
	followerCounts.Moved(tx, before, after)
	followedCounts.Moved(tx, before, after)

	followed := profiles.Update(tx, profileKey(step.Follow.FollowedUserID)).If(hadProfile, step.Follow.FollowedAt)
	if step.Privacy != "" {
		followed.If("privacyStatus = ?", step.Privacy)
	}
	if step.Postless {
		asCounted(followed, "postCount", 0)
		asCounted(followed, "delivery", int(step.Delivery))
	}
	if step.Asking {
		followed.If("attribute_not_exists(userStatus) OR userStatus = ?", social.UserActive)
		asCounted(profiles.Check(tx, profileKey(step.Follow.FollowerUserID)), "blocksVersion", step.Blocks)
	}
}

// followIn returns the record of f in a status, or nil for NotFollowing.
func followIn(f social.Follow, status social.FollowStatus) *social.Follow {
	if status == social.NotFollowing {
		return nil
	}
	f.Status = status
	return &f
}
