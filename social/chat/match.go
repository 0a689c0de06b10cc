package chat

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// MatchConfirmed creates a direct chat of two users whose match is confirmed, with a system
// message, unless they have one or may not have one, or one of them has been reset since.
func (s *Service) MatchConfirmed(ctx context.Context, e social.MatchConfirmed, _ outbox.Tell) error {
	err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		me, them, err := s.mayChat(ctx, e.UserID, e.MatchUserID)
		if me == nil || err != nil || !e.CreatedAt.IsZero() && (me.Former(e.CreatedAt) || them.Former(e.CreatedAt)) {
			return err
		}
		now := me.NotBefore(them.NotBefore(s.Now()))
		step := social.NewDirectChat(social.Chat{
			ChatID: e.ChatID, Type: social.ChatDirect, CreatedByUserID: e.UserID, CreatedAt: now, Pair: social.PairOf(e.UserID, e.MatchUserID),
		}, me.NotBefore(them.NotBefore(time.Time{})))
		step.Join(e.UserID, now)
		step.Join(e.MatchUserID, now)
		step.Say(social.ChatMessage{MessageID: e.MessageID, CreatedAt: now, Text: social.MatchConfirmedText})
		return s.apply(ctx, a, step)
	})
	if refusal.KindOf(err) == refusal.Invalid {
		return nil // the ids are in use: the chat was created before
	}
	return err
}

// mayChat returns two users if a direct chat of them may be created.
func (s *Service) mayChat(ctx context.Context, user, other social.UserID) (me, them *social.SeenUser, err error) {
	present, err := s.present(ctx, user, social.PairOf(user, other))
	if present || err != nil {
		return nil, nil, err
	}
	seen, err := s.People.Visible(ctx, social.Viewer{UserID: user}, []social.UserID{user, other}, social.BlockedTie)
	if err != nil {
		return nil, nil, err
	}
	me, them = seen[user], seen[other]
	if me == nil || them == nil || me.CheckChattable() != nil || them.CheckDirect() != nil || them.CheckChattable() != nil {
		return nil, nil, nil
	}
	return me, them, nil
}
