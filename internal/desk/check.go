package desk

import (
	"context"
	"time"
)

// CheckVerdict is what a check says of content. Its values are stored.
type CheckVerdict string

// Verdicts of checks.
const (
	CheckAllow CheckVerdict = "ALLOW"
	// CheckHold shows content to its author alone until a moderator decides.
	CheckHold   CheckVerdict = "HOLD"
	CheckRemove CheckVerdict = "REMOVE"
)

// CheckVerdicts lists all verdicts.
var CheckVerdicts = []CheckVerdict{CheckAllow, CheckHold, CheckRemove}

// Check is the outcome of a check of content from outside, before others are shown it.
type Check struct {
	Verdict CheckVerdict `dynamo:"verdict"`
	// Rule and Note are what the check says about it; both may be empty. If it failed, the note
	// says how.
	Rule string `dynamo:"rule"`
	Note string `dynamo:"note"`
	// Failed is set if there was no answer, so that the verdict is that of the settings.
	Failed bool `dynamo:"failed"`
}

// Allows reports whether others may be shown the content.
func (c Check) Allows() bool { return c.Verdict == CheckAllow }

// Draft is content that others are about to be shown.
type Draft struct {
	Item
	Author UserID
	Text   string
	// Media are signed URLs of pictures.
	Media []string
}

// Checker checks content.
type Checker interface {
	// Check fails only if ctx ends.
	Check(ctx context.Context, d Draft) (Check, error)
}

// Checking is the check that belongs to a decision, however often that is attempted.
type Checking struct {
	// By is nil if nothing is checked.
	By    Checker
	found *Check
}

// Of returns the outcome of the check of a draft, or of the draft that was checked before.
func (c *Checking) Of(ctx context.Context, draft func() Draft) (Check, error) {
	if c.By == nil {
		return Check{Verdict: CheckAllow}, nil
	}
	if c.found == nil {
		found, err := c.By.Check(ctx, draft())
		if err != nil {
			return Check{}, err
		}
		c.found = &found
	}
	return *c.found, nil
}

// CheckedIn reads the case of an item and returns the step of a check that does not allow it.
func CheckedIn(ctx context.Context, cases Cases, about Item, author UserID, at time.Time, found Check) (CaseStep, error) {
	step, err := ReportedIn(ctx, cases, about, author, at, 0)
	if step.Reported = false; step.Opened() {
		step.After.Source = FromProgram
	}
	step.After.Check = &found
	return step, err
}

// Unchecked returns the step of a report of content that was shown although its check failed.
func (s CaseStep) Unchecked(is bool) CaseStep {
	if is && s.After.Check == nil {
		s.Reported, s.After.Check = false, &Check{Verdict: CheckAllow, Failed: true}
	}
	return s
}

// EditedIn reads the open case of an item that is held, and returns the step of a change of the
// item by its author, or nil if there is no such case. Whoever has seen the case before that
// cannot decide it.
func EditedIn(ctx context.Context, cases Cases, about Item) (*CaseStep, error) {
	c, err := cases.Case(ctx, about)
	if c == nil || c.Status != Open || err != nil {
		return nil, err
	}
	after := *c
	after.Revision++
	return &CaseStep{Before: c, After: after}, nil
}
