package dating

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Approve records that the caller approves of a match. It is confirmed if the other user
// approves, too.
func (s *Service) Approve(ctx context.Context, c social.Caller, other social.UserID) error {
	return s.judge(ctx, c, other, social.MatchPair.Approve)
}

// Reject records that the caller rejects a match. The other user is not told.
func (s *Service) Reject(ctx context.Context, c social.Caller, other social.UserID) error {
	return s.judge(ctx, c, other, social.MatchPair.Reject)
}

func (s *Service) judge(ctx context.Context, c social.Caller, other social.UserID, rule func(social.MatchPair, time.Time) (social.MatchPair, error)) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		pair, err := s.pair(ctx, c.UserID, other)
		if err != nil {
			return err
		}
		after, err := rule(pair, s.Now())
		if err != nil {
			return err
		}
		approves := after.Mine.Status != social.RejectedMatch
		var events []outbox.Event
		if approves {
			events = append(events, social.MatchApproved{UserID: c.UserID, MatchUserID: other})
		}
		if after.Confirmed() {
			events = append(events, social.MatchConfirmed{
				UserID: c.UserID, MatchUserID: other, CreatedAt: after.Mine.CreatedAt,
				ChatID: social.ChatID(s.NewID()), MessageID: social.ChatMessageID(s.NewID()),
			})
		}
		return s.Store.Judge(ctx, pair, after, approves, a.Emit(events...)...)
	})
}

// pair returns the match pair of the caller and another user.
func (s *Service) pair(ctx context.Context, user, other social.UserID) (social.MatchPair, error) {
	if !other.Possible() || other == user {
		return social.MatchPair{}, nil
	}
	return s.Store.Between(ctx, user, other)
}

// notDiamond returns the error for a feature that requires DIAMOND.
func notDiamond() error { return refusal.Forbiddenf("User subscription level is not diamond") }
