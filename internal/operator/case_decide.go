package operator

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
)

// maxNote is the maximum length of a note, in bytes.
const maxNote = 4000

// Ruling is what somebody decides about a case.
type Ruling struct {
	Verdict desk.Verdict
	// Note is for those who run the service, and may be empty.
	Note string
	// Rule is the id of the house rule that was broken, or "".
	Rule string
}

func (s *Service) check(r Ruling) error {
	if len(r.Note) > maxNote {
		return badInput("note", "A note has at most %d bytes", maxNote)
	}
	return s.CheckRule(r.Rule)
}

// DecideCase decides a case, once or again.
func (s *Service) DecideCase(ctx context.Context, id string, revision int, r Ruling) (*Case, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.check(r); err != nil {
		return nil, err
	}
	return s.decideCase(ctx, a, id, revision, r)
}

func (s *Service) decideCase(ctx context.Context, a Actor, id string, revision int, r Ruling) (*Case, error) {
	return decision.Run(ctx, s.Frame, func(attempt *decision.Attempt) (*Case, error) {
		c, err := s.existing(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case c.Revision != revision:
			return nil, stale(c)
		}
		if err := s.checkAppeal(ctx, a, c); err != nil {
			return nil, err
		}
		step := c.Decide(desk.Decision{By: a.UserID, When: s.Now(), Verdict: r.Verdict, Note: r.Note, Rule: r.Rule})
		after := fields{"status": step.After.Status, "revision": step.After.Revision, "verdict": r.Verdict}
		if r.Rule != "" {
			after["rule"] = r.Rule
		}
		line := s.caseLine(a, c, act{
			action: "decideCase", note: r.Note, before: fields{"status": c.Status, "revision": c.Revision}, after: after,
		})
		step.Line = &line
		attempt.Tell(desk.CaseChanged{Item: c.Item})
		var events []outbox.Record
		if judgement, tell := step.Judgement(); tell {
			judgement.RuleTitle = s.RuleTitle(judgement.Rule)
			events = attempt.Emit(judgement)
		}
		if moved, is := step.Moved(); is {
			events = append(events, attempt.Emit(moved)...)
		}
		found := false
		if content := s.content(c.System); content != nil {
			if found, err = content.Decide(ctx, r.Verdict, step, events...); err != nil {
				return nil, err
			}
		}
		if !found {
			if err := s.Store.Decide(ctx, s.decidedGone(step, r.Verdict), events...); err != nil {
				return nil, err
			}
		}
		return s.Store.Case(ctx, c.Item)
	})
}

// decidedGone returns the step of a decision about an item that is gone. What others removed
// stays removed, and is kept as long as after any removal.
func (s *Service) decidedGone(step desk.CaseStep, v desk.Verdict) desk.CaseStep {
	c := step.Before
	if v != desk.Remove || c.RemovedBy == "" {
		step.After.Gone = true
		return step
	}
	kept := c.Kept
	if !c.IsKept(s.Now()) {
		kept = desk.Kept{}
	}
	return step.Removing(desk.RemovedByModerator, kept, s.Now())
}

// existing returns a case, or an error if there is none.
func (s *Service) existing(ctx context.Context, id string) (*Case, error) {
	c, err := s.caseOf(ctx, id)
	if c == nil && err == nil {
		err = refusal.NotFoundf("Case `%s` does not exist", id)
	}
	return c, err
}

// stale refuses a decision about another revision, with the present case for the client.
func stale(c *Case) error {
	return refusal.New(refusal.Taken, "", "Case `%s` has been changed meanwhile: look at it again", c.ID()).With("case", c.Plain())
}

// maxChoices is the maximum number of cases that are decided together.
const maxChoices = 100

// Choice is a case to decide, as somebody has seen it.
type Choice struct {
	ID       string
	Revision int
}

// Outcome is what became of a Choice.
type Outcome struct {
	ID   string
	Case *Case
	// Error and Code are nil if the case has been decided.
	Error, Code *string
}

// DecideCases decides several cases in the same way. Each has an outcome of its own.
func (s *Service) DecideCases(ctx context.Context, choices []*Choice, r Ruling) ([]*Outcome, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	if len(choices) > maxChoices {
		return nil, badInput("cases", "At most %d cases are decided together", maxChoices)
	}
	if err := s.check(r); err != nil {
		return nil, err
	}
	all := []*Outcome{}
	for _, choice := range choices {
		o := &Outcome{ID: choice.ID}
		if o.Case, err = s.decideCase(ctx, a, choice.ID, choice.Revision, r); err != nil {
			var known *refusal.Error
			if !errors.As(err, &known) {
				return nil, err // what is decided stays so, and is CONFLICT when sent again
			}
			code := known.ShownCode()
			o.Error, o.Code = &known.Text, &code
			if o.Case, err = s.caseOf(ctx, choice.ID); err != nil {
				return nil, err
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// CaseOpened returns the cases that are opened from now on.
func (s *Service) CaseOpened(ctx context.Context) (<-chan *Case, error) {
	return followCases(ctx, s, desk.CasesOpened, func(m *desk.CaseOpened) desk.Item { return m.Item })
}

// CaseChanged returns the cases that are claimed, decided or reported again from now on.
func (s *Service) CaseChanged(ctx context.Context) (<-chan *Case, error) {
	return followCases(ctx, s, desk.CasesChanged, func(m *desk.CaseChanged) desk.Item { return m.Item })
}

func followCases[M any](ctx context.Context, s *Service, subject string, item func(*M) desk.Item) (<-chan *Case, error) {
	admit := func(ctx context.Context) error { _, err := s.Actor(ctx); return err }
	return outbox.Follow(ctx, s.Bus, subject, s.Now(), admit, func(ctx context.Context, m *M) (*Case, bool, error) {
		c, err := outbox.Shared(ctx, "case", func(ctx context.Context) (*Case, error) { return s.Store.Case(ctx, item(m)) })
		return c, false, err
	})
}
