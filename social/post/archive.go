package post

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// Archive archives a completed post of the caller. Its likes and feed entries are removed
// when the event is received.
func (s *Service) Archive(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return s.move(ctx, c, id, "archive", d, social.PostFacts.Archived)
}

// Restore restores an archived post of the caller. It returns to feeds at its old position,
// but without its likes.
func (s *Service) Restore(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return s.move(ctx, c, id, "restore", d, social.PostFacts.Restored)
}

// move stores a step of a post of the caller. A step to status DELETING deletes it.
func (s *Service) move(
	ctx context.Context, c social.Caller, id social.PostID, verb string, d social.Detail, step func(social.PostFacts) (social.PostFacts, error),
) (*social.SeenPost, error) {
	check := desk.Checking{By: s.Checker}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		f, err := s.own(ctx, c, id, verb, d)
		if err != nil {
			return nil, err
		}
		moved, err := step(f)
		if err != nil {
			return nil, err
		}
		var withheld *desk.CaseStep
		if f.Post.Status == social.PostArchived { // what is restored is shown again
			var p *social.Post
			if p, withheld, err = s.checked(ctx, &check, f.Post, moved.Post); err != nil {
				return nil, err
			}
			moved = moved.Changed(p)
		}
		step, err := s.step(ctx, f.Post, moved.Post)
		if err != nil {
			return nil, err
		}
		answer, err := s.show(ctx, c, moved.After(step), d)
		if err != nil {
			return nil, err
		}
		var causes []outbox.Event
		if e := step.StatusChanged(s.Now()); e.From != e.To {
			causes = append(causes, e)
		}
		removed, opened := withhold(a, &step, withheld)
		return answer, s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, append(causes, removed...)...), opened)...)
	})
}
