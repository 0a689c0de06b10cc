// Package block lets users block each other.
//
// A block ends the follows between the two users in its own transaction. Their likes and
// other marks are removed when the event is received; until then social.Relation, not this
// package, hides them from readers.
package block

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores blocks.
type Store interface {
	// Add stores a block, ends the follows of the step, and stores e. It fails with
	// Conflict if the block exists, the blocked user is no longer active, or the follows
	// between the two have changed.
	Add(ctx context.Context, step social.BlockStep, e ...outbox.Record) error
	// Remove deletes a block and stores e. It fails with Conflict if the block is gone.
	Remove(ctx context.Context, b social.Block, e ...outbox.Record) error
	// ByUser returns the blocks by a user, newest first.
	ByUser(ctx context.Context, blocker social.UserID, q page.Query) (page.Page[social.Block], error)
	// ByBlocked returns the blocks of a user by others.
	ByBlocked(ctx context.Context, blocked social.UserID, q page.Query) (page.Page[social.Block], error)
	// RemoveLeftover deletes a block by or of a removed user. It fails with Conflict if it
	// has been replaced.
	RemoveLeftover(ctx context.Context, b social.Block) error
}

// Service implements the block area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Users    social.UserReader
	Profiles social.ProfileReader
	Likes    social.LikeRemover
	// Moderators disable whom they block.
	Moderators social.Moderators
}

// Block blocks a user for the caller.
func (s *Service) Block(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, refusal.Invalidf("Cannot block yourself")
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		f, err := s.facts(ctx, c, target)
		if err != nil {
			return nil, err
		}
		step, err := f.Block(s.Now())
		if err != nil {
			return nil, err
		}
		moderates, err := s.moderates(ctx, c.UserID, f.User)
		if err != nil {
			return nil, err
		}
		events := []outbox.Event{social.UserBlocked{BlockerUserID: c.UserID, BlockedUserID: target, ByModerator: moderates, At: step.Block.BlockedAt}}
		for _, end := range step.Ends {
			events = append(events, end.StatusChanged())
		}
		return f.Blocked(step).See(), s.Store.Add(ctx, step, a.Emit(events...)...)
	})
}

// moderates reports whether a moderator blocks a user who is none.
func (s *Service) moderates(ctx context.Context, blocker social.UserID, blocked *social.User) (bool, error) {
	if is, err := s.Moderators.IsModerator(ctx, blocker); !is || err != nil {
		return false, err
	}
	too, err := s.Moderators.IsModerator(ctx, blocked.UserID, blocked.Email)
	return !too, err
}

// Unblock removes a block by the caller. Follows and likes are not restored.
func (s *Service) Unblock(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, refusal.Invalidf("Cannot unblock yourself")
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenUser, error) {
		f, err := s.facts(ctx, c, target)
		if err != nil {
			return nil, err
		}
		b, err := f.Unblock()
		if err != nil {
			return nil, err
		}
		e := a.Emit(social.UserUnblocked{BlockerUserID: c.UserID, BlockedUserID: target})
		return f.Unblocked().See(), s.Store.Remove(ctx, b, e...)
	})
}

// facts returns the facts of another user for the caller, or an error if the user does not
// exist.
func (s *Service) facts(ctx context.Context, c social.Caller, other social.UserID) (social.UserFacts, error) {
	missing := refusal.NotFoundf("User `%s` does not exist", other)
	if !other.Valid() {
		return social.UserFacts{}, missing
	}
	facts, err := s.Users.Facts(ctx, c.UserID, []social.UserID{other}, social.BothWays|social.MatchTie)
	f, found := facts[other]
	if err == nil && !found {
		err = missing
	}
	return f, err
}

// Blocked returns the users that a user blocks, newest block first, or nil to other
// viewers.
func (s *Service) Blocked(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.Entry], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	if !of.IsSelf() {
		return nil, nil
	}
	blocks, err := s.Store.ByUser(ctx, of.UserID(), q)
	if err != nil {
		return nil, err
	}
	entries := social.Entries(blocks, of, func(b social.Block) social.Entry {
		return social.Entry{UserID: b.BlockedUserID, At: b.BlockedAt}
	})
	return &entries, nil
}
