package comment

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// withhold stores a comment that its content check does not allow: held, with its case. What is to
// be removed is held until the event is received.
func (s *Service) withhold(ctx context.Context, a *decision.Attempt, c *social.Comment, on *social.Post, found desk.Check) error {
	in, err := desk.CheckedIn(ctx, s.Cases, c.CaseItem(), c.UserID, s.Now(), found)
	if err != nil {
		return err
	}
	var refused []outbox.Record
	if found.Verdict == desk.CheckRemove {
		refused = a.Emit(social.CommentRefused{CommentID: c.CommentID, Author: c.UserID})
	}
	a.Until(c.CommentedAt)
	return taken(s.Store.AddHeld(ctx, c, on, in, slices.Concat(refused, decision.Announce(a, in))...), c.CommentID)
}

// CommentRefused removes a comment that its content check has removed, unless a moderator was faster.
func (s *Service) CommentRefused(ctx context.Context, e social.CommentRefused, _ outbox.Tell) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		c, err := s.Store.Comment(ctx, e.CommentID)
		if c == nil || err != nil || !c.Held || c.UserID != e.Author {
			return err
		}
		on, found, err := s.post(ctx, c.UserID, c.PostID, 0)
		if !found || err != nil || c.Outlives(on.Post.PostedAt) {
			return err
		}
		in, err := desk.ReportedIn(ctx, s.Cases, c.CaseItem(), c.UserID, s.Now(), 0)
		if err != nil {
			return err
		}
		return s.forceOut(ctx, a, c, on, in, desk.RemovedByProgram, decision.Announce(a, in)...)
	})
}

// release shows others a comment that was held.
func (s *Service) release(ctx context.Context, a *decision.Attempt, held *social.Comment, on social.PostFacts, c desk.CaseStep, e ...outbox.Record) error {
	shown := *held
	shown.Held, shown.KeptAt = false, s.Now()
	r, err := s.removal(ctx, &shown, on)
	if err != nil {
		return err
	}
	r.Case = &c
	return s.Store.Release(ctx, r, slices.Concat(a.Emit(s.added(&shown, on.Post, r.Unviewed)), e)...)
}
