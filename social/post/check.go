package post

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/outbox"
	"stoa/social"
)

// checked returns a post that is about to be completed as its content check leaves it, and the
// step of its case if the check does not allow it. before is nil for a new post. What a moderator
// decided to keep is not checked.
func (s *Service) checked(ctx context.Context, check *desk.Checking, before, p *social.Post) (*social.Post, *desk.CaseStep, error) {
	if check.By == nil || p.Status != social.PostCompleted || p.Kept() {
		return p, nil, nil
	}
	found, err := check.Of(ctx, func() desk.Draft { return s.draft(p) })
	if err != nil {
		return nil, nil, err
	}
	after := p.Checked(before, found)
	if found.Allows() {
		return after, nil, nil
	}
	c, err := desk.CheckedIn(ctx, s.Cases, p.CaseItem(), p.PostedByUserID, s.Now(), found)
	return after, &c, err
}

func (s *Service) draft(p *social.Post) desk.Draft {
	d := desk.Draft{Item: p.CaseItem(), Author: p.PostedByUserID, Text: p.Text}
	if p.HasFiles() {
		d.Media = []string{s.Files.At(social.PostFiles(p.PostedByUserID, p.PostID) + "/image").URL1080p}
	}
	return d
}

// withhold adds the step of the case of a post that its content check does not allow to a step of
// the post, and returns the events of both; there are none if c is nil.
func withhold(a *decision.Attempt, step *social.PostStep, c *desk.CaseStep) (removed []outbox.Event, opened []outbox.Record) {
	if c == nil {
		return nil, nil
	}
	step.Case = c
	if !step.After.Held {
		step.Forced = 1
		removed = append(removed, social.ContentForciblyRemoved{UserID: step.After.PostedByUserID, Kind: social.ForcedPosts})
	}
	return removed, decision.Announce(a, *c)
}

// checkEdit has the text of an edit of a completed post checked, and archives the post first
// unless that is allowed: nobody else sees the edit then. It returns the post as it is now.
func (s *Service) checkEdit(ctx context.Context, check *desk.Checking, p *social.Post, edit social.PostEdit) (*social.Post, error) {
	if check.By == nil || edit.Text == nil || p.Status != social.PostCompleted {
		return p, nil
	}
	edited := *p
	edited.Text, edited.TextEditedAt = *edit.Text, s.Now()
	after, c, err := s.checked(ctx, check, p, &edited)
	if err != nil {
		return nil, err
	}
	to := *p
	to.Status, to.RemovedBy, to.Held, to.Unchecked = after.Status, after.RemovedBy, after.Held, after.Unchecked
	if c == nil && to.Unchecked == p.Unchecked {
		return p, nil
	}
	return decision.Once(ctx, s.Frame, func(a *decision.Attempt) (*social.Post, error) {
		step, err := s.step(ctx, p, &to)
		if err != nil {
			return nil, err
		}
		causes, opened := withhold(a, &step, c)
		if c != nil {
			causes = append(causes, step.StatusChanged(s.Now()))
		}
		return step.After, s.Store.Apply(ctx, step, slices.Concat(s.effects(a, step, causes...), opened)...)
	})
}
