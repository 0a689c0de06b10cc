package chat

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/retry"
	"stoa/internal/outbox"
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
		f, fresh := facts[id], true
		err := retry.Run(func() error {
			if !fresh {
				if f, err = s.facts(ctx, c.UserID, id, 0); err != nil {
					return err
				}
			}
			fresh = false
			return s.view(ctx, f, times[id])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// view records a view, no earlier than the newest message.
func (s *Service) view(ctx context.Context, f social.ChatFacts, times int) error {
	if !f.Open() {
		return nil
	}
	at := s.Now()
	if newest := f.Chat.LastMessageActivityAt; at.Before(newest) {
		at = newest
	}
	var events []outbox.Event
	if f.Member.MessagesUnviewedCount > 0 {
		events = append(events, social.UnviewedChatsMoved{ChatID: f.Chat.ChatID, UserIDs: []social.UserID{f.Viewer}})
	}
	e := s.New(ctx, events...)
	if err := s.Store.View(ctx, f.Chat, *f.Member, times, at, e...); err != nil {
		return err
	}
	s.Committed(ctx, e...)
	return nil
}
