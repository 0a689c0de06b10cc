package dating

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
	"stoa/social"
)

// Approve makes the caller approve of a match. With the other's approval it is confirmed.
func (s *Service) Approve(ctx context.Context, c social.Caller, other social.UserID) error {
	return s.judge(ctx, c, other, social.MatchPair.Approve)
}

// Reject makes the caller reject a match, of which the other learns nothing.
func (s *Service) Reject(ctx context.Context, c social.Caller, other social.UserID) error {
	return s.judge(ctx, c, other, social.MatchPair.Reject)
}

func (s *Service) judge(ctx context.Context, c social.Caller, other social.UserID, rule func(social.MatchPair, time.Time) (social.MatchPair, error)) error {
	_, err := retry.OnConflict(func() (struct{}, error) {
		none := struct{}{}
		pair, err := s.pair(ctx, c.UserID, other)
		if err != nil {
			return none, err
		}
		after, err := rule(pair, s.Events.Now())
		if err != nil {
			return none, err
		}
		approves := after.Mine.Status != social.RejectedMatch
		var events []outbox.Event
		if approves {
			events = append(events, social.MatchApproved{UserID: c.UserID, MatchUserID: other})
		}
		if after.Confirmed() {
			events = append(events, social.MatchConfirmed{
				UserID: c.UserID, MatchUserID: other,
				ChatID: social.ChatID(s.Events.NewID()), MessageID: social.ChatMessageID(s.Events.NewID()),
			})
		}
		e := s.Events.New(ctx, events...)
		if err := s.Store.Judge(ctx, pair, after, approves, e...); err != nil {
			return none, err
		}
		s.Events.Committed(ctx, e...)
		return none, nil
	})
	return err
}

// pair is how the caller and another stand to each other.
func (s *Service) pair(ctx context.Context, user, other social.UserID) (social.MatchPair, error) {
	if !other.Valid() || other == user {
		return social.MatchPair{}, nil
	}
	pairs, err := s.Store.Pairs(ctx, user, []social.UserID{other})
	if err != nil {
		return social.MatchPair{}, err
	}
	return pairs[0], nil
}

// notDiamond refuses what only subscribers may see.
func notDiamond() error { return refusal.Forbiddenf("User subscription level is not diamond") }
