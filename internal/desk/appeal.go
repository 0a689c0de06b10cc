package desk

import (
	"strings"
	"time"
	"unicode/utf8"

	"stoa/internal/kit/refusal"
)

// Appeal is what an author says against a decision, and what was said about it.
type Appeal struct {
	Text string    `dynamo:"text"`
	When time.Time `dynamo:"when"`
	// DecidedBy is who made the decision.
	DecidedBy UserID `dynamo:"decidedBy"`
	// Of is the number of decisions at that time.
	Of       int             `dynamo:"of"`
	Messages []AppealMessage `dynamo:"messages"`
}

// AppealMessage is one message about an appeal.
type AppealMessage struct {
	FromAuthor bool      `dynamo:"fromAuthor"`
	When       time.Time `dynamo:"when"`
	Text       string    `dynamo:"text"`
	// By is who wrote it; authors do not see that.
	By UserID `dynamo:"by"`
}

const (
	// MaxAppeal is the maximum length of an appeal or a message about it, in characters.
	MaxAppeal = 2000
	// AppealWithin is how long a decision can be appealed.
	AppealWithin = 30 * 24 * time.Hour
	// MaxAppealMessages is the number of messages that either side can write about an appeal.
	MaxAppealMessages = 3
)

// Last returns the last decision, or nil.
func (c *Case) Last() *Decision {
	if len(c.Decisions) == 0 {
		return nil
	}
	return &c.Decisions[len(c.Decisions)-1]
}

// IsAppealed reports whether the case waits for the decision about an appeal.
func (c *Case) IsAppealed() bool {
	return c.Status == Open && c.Appeal != nil && c.Appeal.Of == len(c.Decisions)
}

// CheckAppealText refuses the text of an appeal, or of a message about it.
func CheckAppealText(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return refusal.New(refusal.Invalid, "", "An appeal needs a text").With("field", "text")
	case utf8.RuneCountInString(text) > MaxAppeal:
		return refusal.New(refusal.Invalid, "", "Text cannot be longer than %d characters", MaxAppeal).With("field", "text")
	default:
		return nil
	}
}

// AppealBy returns the step of an appeal against the last decision by the item's author. It
// opens the case again. A case of others is not there for them, nor one that they have not
// been told about.
func (c *Case) AppealBy(author UserID, text string, at time.Time) (CaseStep, error) {
	last := c.Last()
	switch {
	case c.AuthorID != author || last == nil:
		return CaseStep{}, c.Missing()
	case last.Verdict != Remove:
		return CaseStep{}, refusal.Invalidf("The decision about case `%s` was not against you", c.ID())
	case c.Appeal != nil && c.Appeal.Of == len(c.Decisions):
		return CaseStep{}, refusal.Invalidf("The decision about case `%s` has already been appealed", c.ID())
	case c.Gone:
		return CaseStep{}, refusal.Invalidf("What case `%s` is about has been deleted", c.ID())
	case at.Sub(last.When) > AppealWithin:
		return CaseStep{}, refusal.Invalidf("The decision about case `%s` was made more than 30 days ago", c.ID())
	}
	after := *c
	after.open(at)
	after.Appeal, after.Talk = &Appeal{Text: text, When: at, DecidedBy: last.By, Of: len(c.Decisions)}, 0
	return CaseStep{Before: c, After: after}, nil
}

// Missing returns the error for a case that is not there.
func (c *Case) Missing() error { return refusal.NotFoundf("Case `%s` does not exist", c.ID()) }

// Say returns the step of a message about the appeal.
func (c *Case) Say(m AppealMessage) (CaseStep, error) {
	if c.Appeal == nil {
		return CaseStep{}, refusal.Invalidf("Case `%s` has no appeal", c.ID())
	}
	said := 0
	for _, other := range c.Appeal.Messages {
		if other.FromAuthor == m.FromAuthor {
			said++
		}
	}
	if said == MaxAppealMessages {
		return CaseStep{}, refusal.Invalidf("There can be %d messages each way about an appeal", MaxAppealMessages)
	}
	after := *c
	a := *c.Appeal
	a.Messages = append(a.Messages[:len(a.Messages):len(a.Messages)], m)
	after.Appeal, after.Talk = &a, c.Talk+1
	return CaseStep{Before: c, After: after}, nil
}

// ClaimFor is how long a claim holds.
const ClaimFor = 15 * time.Minute

// Claimed reports whether somebody else looks at the case.
func (c *Case) Claimed(by UserID, now time.Time) bool {
	return c.ClaimedBy != "" && c.ClaimedBy != by && now.Before(c.ClaimedUntil)
}

// Claim returns the step with the case claimed.
func (c *Case) Claim(by UserID, at time.Time) CaseStep {
	after := *c
	after.ClaimedBy, after.ClaimedUntil = by, at.Add(ClaimFor)
	return CaseStep{Before: c, After: after}
}

// Plain returns the case as plain values in the words of the API, for errors.
func (c *Case) Plain() map[string]any {
	decisions := []any{}
	for _, d := range c.Decisions {
		decisions = append(decisions, map[string]any{"who": map[string]any{"id": d.By}, "when": d.When, "verdict": d.Verdict, "note": d.Note})
	}
	plain := map[string]any{
		"id": c.ID(), "system": c.System, "kind": c.Kind, "itemId": c.ItemID, "status": c.Status, "revision": c.Revision, "openedAt": c.OpenedAt,
		"lastReportedAt": c.LastReportedAt, "reportCount": c.ReportCount, "decisions": decisions,
	}
	if c.ClaimedBy != "" {
		plain["claimedBy"], plain["claimedUntil"] = map[string]any{"id": c.ClaimedBy}, c.ClaimedUntil
	}
	return plain
}
