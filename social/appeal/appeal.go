// Package appeal lets users appeal what moderators decided against them.
//
// A case exists for nobody but the author of its item, and only once it was decided.
package appeal

import (
	"context"

	"stoa/internal/area"
	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores cases.
type Store interface {
	social.Cases
	// Decide stores a step of a case that changes nothing of its item.
	Decide(ctx context.Context, step desk.CaseStep, e ...outbox.Record) error
}

// Service implements the appeal area. All fields are required.
type Service struct {
	decision.Frame
	Store Store
}

// Register opens the fields to people who are suspended, whose credentials are refused.
func (*Service) Register(r *area.Registry) {
	r.OpenToAll("Mutation.appealDecision", "Mutation.replyToAppeal")
}

// Appeal appeals the last decision about an item of the caller.
func (s *Service) Appeal(ctx context.Context, c social.Caller, id, text string) (*social.Appeal, error) {
	return s.step(ctx, c, id, text, func(of *desk.Case) (desk.CaseStep, error) { return of.AppealBy(c.UserID, text, s.Now()) })
}

// Reply writes to those who decide about an appeal of the caller.
func (s *Service) Reply(ctx context.Context, c social.Caller, id, text string) (*social.Appeal, error) {
	return s.step(ctx, c, id, text, func(of *desk.Case) (desk.CaseStep, error) {
		if of.AuthorID != c.UserID || of.Appeal == nil {
			return desk.CaseStep{}, of.Missing()
		}
		return of.Say(desk.AppealMessage{FromAuthor: true, When: s.Now(), Text: text, By: c.UserID})
	})
}

func (s *Service) step(ctx context.Context, c social.Caller, id, text string, decide func(*desk.Case) (desk.CaseStep, error)) (*social.Appeal, error) {
	if err := desk.CheckAppealText(text); err != nil {
		return nil, err
	}
	item, ok := desk.ItemOf(id)
	if !ok {
		return nil, refusal.NotFoundf("Case `%s` does not exist", id)
	}
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.Appeal, error) {
		of, err := s.Store.Case(ctx, item)
		if err != nil {
			return nil, err
		}
		if of == nil {
			return nil, refusal.NotFoundf("Case `%s` does not exist", id)
		}
		step, err := decide(of)
		if err != nil {
			return nil, err
		}
		return social.SeeAppeal(&step.After), s.Store.Decide(ctx, step, decision.Announce(a, step)...)
	})
}
