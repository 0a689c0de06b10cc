package operator

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
)

// deadline is how long a case may be open by default.
const deadline = 24 * time.Hour

// DueAt returns when a case has to be decided, or nil if it is.
func (s *Service) DueAt(c *Case) *time.Time {
	if c.Status != desk.Open {
		return nil
	}
	after := s.Deadline
	if after == 0 {
		after = deadline
	}
	due := c.OpenedAt.Add(after)
	return &due
}

// Overdue returns the number of cases that should have been decided, up to a limit.
func (s *Service) Overdue(ctx context.Context, limit int) (int, error) {
	now, all, after := s.Now(), 0, ""
	for all < limit {
		oldest, err := s.Store.CasesByAge(ctx, desk.Open, page.Query{First: page.Max, After: after})
		if err != nil {
			return 0, err
		}
		for _, c := range oldest.Items {
			if !s.DueAt(c).Before(now) {
				return all, nil
			}
			all++
		}
		if after = oldest.Next; after == "" {
			break
		}
	}
	return min(all, limit), nil
}

// renewAfter is how old a claim must be to be renewed by looking at the case.
const renewAfter = time.Minute

// ClaimCase tells the others that somebody looks at a case. It is refused while another claim
// holds.
func (s *Service) ClaimCase(ctx context.Context, id string) (*Case, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	return decision.Run(ctx, s.Frame, func(attempt *decision.Attempt) (*Case, error) {
		c, err := s.existing(ctx, id)
		if err != nil {
			return nil, err
		}
		now := s.Now()
		if c.Claimed(a.UserID, now) {
			return nil, refusal.New(refusal.Taken, "", "Somebody else looks at case `%s` until %s", id, c.ClaimedUntil.Format(time.RFC3339)).With("case", c.Plain())
		}
		step := c.Claim(a.UserID, now)
		line := s.caseLine(a, c, act{action: "claimCase"})
		step.Line = &line
		attempt.Tell(desk.CaseChanged{Item: c.Item})
		return &step.After, s.Store.Decide(ctx, step)
	})
}

// Claimer returns who looks at a case now, or "".
func (s *Service) Claimer(c *Case) UserID {
	if s.ClaimedUntil(c) == nil {
		return ""
	}
	return c.ClaimedBy
}

// ClaimedUntil returns when the claim of a case ends, or nil if there is none.
func (s *Service) ClaimedUntil(c *Case) *time.Time {
	if c.ClaimedBy == "" || !s.Now().Before(c.ClaimedUntil) {
		return nil
	}
	return &c.ClaimedUntil
}

// look renews the claim of whoever looks at a case that they have claimed.
func (s *Service) look(ctx context.Context, a Actor, c *Case) (*Case, error) {
	now := s.Now()
	if c == nil || c.ClaimedBy != a.UserID || now.After(c.ClaimedUntil) || c.ClaimedUntil.Sub(now) > desk.ClaimFor-renewAfter {
		return c, nil
	}
	return decision.Once(ctx, s.Frame, func(attempt *decision.Attempt) (*Case, error) {
		step := c.Claim(a.UserID, now)
		if err := s.Store.Decide(ctx, step); err != nil {
			return c, refusal.IgnoreConflict(err) // it has been decided meanwhile, say: looking refuses nothing
		}
		attempt.Tell(desk.CaseChanged{Item: c.Item}) // others see until when it holds
		return &step.After, nil
	})
}

// Template is an answer that those who decide have saved.
type Template = desk.Template

// Limits of templates.
const (
	maxTemplates = 100
	maxTitle     = 100
)

// Templates returns the saved answers, by title.
func (s *Service) Templates(ctx context.Context) ([]*Template, error) {
	if _, err := s.Actor(ctx); err != nil {
		return nil, err
	}
	return s.Store.Templates(ctx)
}

// SaveTemplate saves an answer, or replaces the one with an id.
func (s *Service) SaveTemplate(ctx context.Context, id, title, text string) (*Template, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.TrimSpace(title) == "" || utf8.RuneCountInString(title) > maxTitle:
		return nil, badInput("title", "A title has 1 to %d characters", maxTitle)
	case strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > desk.MaxAppeal:
		return nil, badInput("text", "A text has 1 to %d characters", desk.MaxAppeal)
	}
	all, err := s.Store.Templates(ctx)
	if err != nil {
		return nil, err
	}
	t := &Template{ID: id, Title: title, Text: text, SavedBy: a.UserID, SavedAt: s.Now()}
	switch {
	case id != "" && !hasTemplate(all, id):
		return nil, refusal.NotFoundf("Template `%s` does not exist", id)
	case id == "" && len(all) >= maxTemplates:
		return nil, badInput("id", "There are %d templates: replace one of them", maxTemplates)
	case id == "":
		t.ID = s.NewID()
	}
	return t, s.Store.SaveTemplate(ctx, *t, s.line(a, act{action: "saveTemplate", subject: t.ID, after: fields{"title": title, "text": text}}))
}

// RemoveTemplate removes a saved answer.
func (s *Service) RemoveTemplate(ctx context.Context, id string) (bool, error) {
	a, err := s.Actor(ctx)
	if err != nil {
		return false, err
	}
	all, err := s.Store.Templates(ctx)
	if err != nil {
		return false, err
	}
	if !hasTemplate(all, id) {
		return false, refusal.NotFoundf("Template `%s` does not exist", id)
	}
	return true, s.Store.RemoveTemplate(ctx, id, s.line(a, act{action: "removeTemplate", subject: id}))
}

func hasTemplate(all []*Template, id string) bool {
	return slices.ContainsFunc(all, func(t *Template) bool { return t.ID == id })
}
