// Package block decides who blocks whom.
//
// A block ends the follows between the two in its own transaction. What else they left on
// each other goes by the event, and what remains is hidden when it is read: by
// social.Relation, not here.
package block

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps blocks.
type Store interface {
	// Add stores a block, ends the follows of the step and stores e. It fails with
	// Conflict when the block is there, when the blocked user is not active any more, and
	// when the follows between the two are not as they were.
	Add(ctx context.Context, step social.BlockStep, e ...outbox.Record) error
	// Remove removes a block and stores e. It fails with Conflict when it is gone.
	Remove(ctx context.Context, b social.Block, e ...outbox.Record) error
	// ByUser returns the blocks of a user, newest first.
	ByUser(ctx context.Context, blocker social.UserID, q page.Query) (page.Page[social.Block], error)
	// ByBlocked returns the blocks against a user.
	ByBlocked(ctx context.Context, blocked social.UserID, q page.Query) (page.Page[social.Block], error)
	// RemoveLeftover removes a block of somebody who was removed. It fails with Conflict when
	// it is another by now.
	RemoveLeftover(ctx context.Context, b social.Block) error
}

// Service is the block area. Its fields are set once.
type Service struct {
	Store  Store
	Users  social.UserReader
	Likes  Likes
	Events outbox.Sender
}

// Block makes the caller block a user.
func (s *Service) Block(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, refusal.Invalidf("Cannot block yourself")
	}
	return retry.OnConflict(func() (*social.SeenUser, error) {
		f, err := s.facts(ctx, c, target)
		if err != nil {
			return nil, err
		}
		step, err := f.Block(s.Events.Now())
		if err != nil {
			return nil, err
		}
		events := []outbox.Event{social.UserBlocked{BlockerUserID: c.UserID, BlockedUserID: target}}
		for _, end := range step.Ends {
			events = append(events, end.Moved())
		}
		e := s.Events.New(ctx, events...)
		if err := s.Store.Add(ctx, step, e...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e...)
		return f.Blocked(step).See(), nil
	})
}

// Unblock ends a block of the caller. It brings nothing back.
func (s *Service) Unblock(ctx context.Context, c social.Caller, target social.UserID) (*social.SeenUser, error) {
	if target == c.UserID {
		return nil, refusal.Invalidf("Cannot unblock yourself")
	}
	return retry.OnConflict(func() (*social.SeenUser, error) {
		f, err := s.facts(ctx, c, target)
		if err != nil {
			return nil, err
		}
		b, err := f.Unblock()
		if err != nil {
			return nil, err
		}
		e := s.Events.New(ctx, social.UserUnblocked{BlockerUserID: c.UserID, BlockedUserID: target})
		if err := s.Store.Remove(ctx, b, e...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, e...)
		return f.Unblocked().See(), nil
	})
}

// facts returns what there is between the caller and another user, who must exist.
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

// Blocked returns whom a user blocks, newest block first; nil to anybody else.
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
