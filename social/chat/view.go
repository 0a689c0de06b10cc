package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// ReportViews records that the caller has viewed chats, once for each occurrence of an id.
// Chats of which they are not a member are skipped.
func (s *Service) ReportViews(ctx context.Context, c social.Caller, ids []social.ChatID) error {
	switch {
	case len(ids) == 0:
		return refusal.Invalidf("A minimum of 1 chat id must be reported")
	case len(ids) > page.Max:
		return refusal.Invalidf("A max of %d chat ids may be reported at a time", page.Max)
	}
	times := map[social.ChatID]int{}
	var distinct []social.ChatID
	for _, id := range ids {
		if times[id]++; times[id] == 1 && id.Valid() {
			distinct = append(distinct, id)
		}
	}
	if len(distinct) == 0 {
		return nil
	}
	facts, err := s.Store.Facts(ctx, c.UserID, distinct, 0)
	if err != nil {
		return err
	}
	for _, id := range distinct {
		if err := s.viewInTurn(ctx, c, facts[id], id, times[id]); err != nil {
			return err
		}
	}
	return nil
}

// viewInTurn records a view of a chat, the facts of which have just been read.
func (s *Service) viewInTurn(ctx context.Context, c social.Caller, f social.ChatFacts, id social.ChatID, times int) error {
	if !f.Open() {
		return nil
	}
	end, err := s.Turns.Acquire(ctx, string(id), 1)
	defer end()
	if err != nil {
		return err
	}
	fresh := true
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		if !fresh {
			if f, err = s.facts(ctx, c.UserID, id, 0); err != nil {
				return err
			}
		}
		fresh = false
		return s.view(ctx, a, c, f, times)
	})
}

// view records a view, no earlier than the newest message. That of a large group is no later either: a
// message that is being stored, which the caller has not seen, may have an earlier time than now.
func (s *Service) view(ctx context.Context, a *decision.Attempt, c social.Caller, f social.ChatFacts, times int) error {
	if !f.Open() {
		return nil
	}
	at := s.Now()
	if newest := f.Chat.LastMessageActivityAt; at.Before(newest) || f.Chat.Large() {
		at = newest
	}
	var viewed []social.UserID
	if f.Member.MessagesUnviewedCount > 0 {
		viewed = append(viewed, f.Viewer)
	}
	return s.Store.View(ctx, f.Chat, *f.Member, c.User.SignedUpAt, times, at, a.Emit(unviewedChanged(f.Chat.ChatID, viewed)...)...)
}
