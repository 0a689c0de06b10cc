package social

import (
	"cmp"
	"time"

	"stoa/internal/kit/refusal"
)

// Block records that one user has blocked another.
type Block struct {
	BlockerUserID UserID    `dynamo:"blockerUserId"`
	BlockedUserID UserID    `dynamo:"blockedUserId"`
	BlockedAt     time.Time `dynamo:"blockedAt"`
}

// BlockStep is a decided block and the follows that it ends. A store applies it only if
// these follows are unchanged.
type BlockStep struct {
	Block Block
	// Since is when the younger of the two profiles was created. Follows older than that do
	// not count.
	Since time.Time
	// Ends are the steps that end the follows between the two.
	Ends []FollowStep
}

// Block returns the step by which the viewer blocks the user, or an error if they cannot.
// It needs BothWays.
func (f UserFacts) Block(now time.Time) (BlockStep, error) {
	f.Read.need(BothWays, "user")
	viewer, user := f.Viewer, f.User.UserID
	if f.Relation.Blocks {
		return BlockStep{}, refusal.Invalidf("User `%s` has already blocked user `%s`", viewer, user)
	}
	if status := cmp.Or(f.User.Status, UserActive); status != UserActive {
		return BlockStep{}, refusal.Invalidf("Cannot block user with status `%s`", status)
	}
	step := BlockStep{Block: Block{BlockerUserID: viewer, BlockedUserID: user, BlockedAt: latest(now, f.Since)}, Since: f.Since}
	for _, follow := range []Follow{
		{FollowerUserID: viewer, FollowedUserID: user, Status: f.Relation.Follows, FollowedAt: f.FollowsAt},
		{FollowerUserID: user, FollowedUserID: viewer, Status: f.Relation.FollowedBy, FollowedAt: f.FollowedByAt},
	} {
		from := cmp.Or(follow.Status, NotFollowing)
		if next, ends := from.Next(Sever); ends {
			follow.Status = next
			step.Ends = append(step.Ends, FollowStep{Follow: follow, From: from})
		}
	}
	return step, nil
}

// Unblock returns the block that the viewer removes, or an error if there is none. It needs
// BothWays.
func (f UserFacts) Unblock() (Block, error) {
	f.Read.need(BothWays, "user")
	if !f.Relation.Blocks {
		return Block{}, refusal.Invalidf("User `%s` has not blocked user `%s`", f.Viewer, f.User.UserID)
	}
	return Block{BlockerUserID: f.Viewer, BlockedUserID: f.User.UserID}, nil
}

// Blocked returns the facts after the viewer has blocked the user.
func (f UserFacts) Blocked(step BlockStep) UserFacts {
	for _, end := range step.Ends {
		f = f.After(end)
	}
	f.Relation.Blocks, f.Match = true, MatchPair{} // nobody matches whom they block
	return f
}

// Unblocked returns the facts after the viewer has unblocked the user.
func (f UserFacts) Unblocked() UserFacts {
	f.Relation.Blocks = false
	return f
}
