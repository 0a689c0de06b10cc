package desk

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
)

// ReportReader reads cases, and reports that are not with their items.
type ReportReader interface {
	Cases
	// ReportBy returns the report of an item by a user that is not with the item, or nil.
	ReportBy(ctx context.Context, i Item, by UserID) (*Report, error)
}

// Reporting is a report that is kept with its case, because its item has no place for it.
type Reporting struct {
	Report Report
	// Since is when reports began to count: those from before have been decided, or were of
	// an earlier item.
	Since time.Time
	Case  CaseStep
}

// ErrAgain means that somebody has reported an item before, and nobody has decided to keep it
// since.
var ErrAgain = refusal.New(refusal.Taken, "ALREADY_REPORTED", "You have reported this already")

// ReportApart returns the report of an item that exists since a time, or ErrAgain.
func ReportApart(ctx context.Context, d ReportReader, about Item, author UserID, since time.Time, r Report) (Reporting, error) {
	c, err := d.Case(ctx, about)
	if err != nil {
		return Reporting{}, err
	}
	if c != nil {
		for _, decided := range c.Decisions {
			if decided.Verdict == Keep && decided.When.After(since) {
				since = decided.When
			}
		}
	}
	last, err := d.ReportBy(ctx, about, r.By)
	if err != nil {
		return Reporting{}, err
	}
	if last != nil && !last.When.Before(since) {
		return Reporting{}, ErrAgain
	}
	if r.When.Before(since) {
		r.When = since
	}
	return Reporting{Report: r, Since: since, Case: Reported(c, about, author, r.When, 1)}, nil
}
