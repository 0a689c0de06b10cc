package desk

import (
	"strings"
	"time"
	"unicode/utf8"

	"stoa/internal/kit/refusal"
)

// ContentKind is the kind of what a case is about. Its values are stored.
type ContentKind string

// Post is a post of the social system.
const Post ContentKind = "POST"

// CaseStatus says whether a case waits for a decision. Its values are stored.
type CaseStatus string

// Statuses of cases.
const (
	Open    CaseStatus = "OPEN"
	Decided CaseStatus = "DECIDED"
)

// Verdict is what a moderator decides. Its values are stored.
type Verdict string

// Verdicts.
const (
	// Keep shows the content, again if it was removed.
	Keep Verdict = "KEEP"
	// Remove removes it, so that its author cannot restore it.
	Remove Verdict = "REMOVE"
)

// Item identifies content of a system.
type Item struct {
	System string      `dynamo:"system,keyonly"`
	Kind   ContentKind `dynamo:"kind,keyonly"`
	ItemID string      `dynamo:"itemId,keyonly"`
}

// ID returns the id of the item's case.
func (i Item) ID() string { return i.System + ":" + string(i.Kind) + ":" + i.ItemID }

// ItemOf returns the item of the case with an id.
func ItemOf(id string) (Item, bool) {
	parts := strings.SplitN(id, ":", 3)
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" || strings.ContainsAny(parts[0]+parts[1], "/") {
		return Item{}, false
	}
	return Item{parts[0], ContentKind(parts[1]), parts[2]}, true
}

// Case is what moderators know and have decided about one item.
type Case struct {
	Item
	Status CaseStatus `dynamo:"status"`
	// Revision increases by one with every decision, and when a decided case is opened again.
	Revision       int       `dynamo:"revision"`
	OpenedAt       time.Time `dynamo:"openedAt"`
	LastReportedAt time.Time `dynamo:"lastReportedAt"`
	ReportCount    int       `dynamo:"reportCount"`
	AuthorID       UserID    `dynamo:"authorId"`
	// Rank orders cases of a status: see rankOf.
	Rank int `dynamo:"rank,keyonly"`
	// Gone is set once the author has deleted the item, or has gone.
	Gone      bool       `dynamo:"gone"`
	Decisions []Decision `dynamo:"decisions"`
}

// Decision is one of the decisions about a case. That about an item which is gone has nobody
// who made it.
type Decision struct {
	By      UserID    `dynamo:"by"`
	When    time.Time `dynamo:"when"`
	Verdict Verdict   `dynamo:"verdict"`
	Note    string    `dynamo:"note"`
}

// Report is what somebody reported. A user has at most one report of an item.
type Report struct {
	By   UserID    `dynamo:"userId"`
	When time.Time `dynamo:"createdAt"`
	// Why is what they wrote; it may be empty.
	Why string `dynamo:"reason"`
}

// MaxReason is the maximum length of what somebody writes in a report, in characters.
const MaxReason = 500

// rankOf orders open cases by reports, then by age, oldest first: a report outweighs any
// time. Its first ten digits and more are the reports, the last twelve the milliseconds left
// until the year 2051.
func rankOf(reports int, openedAt time.Time) int {
	return reports*RankOfReport + RankOfReport - int(openedAt.Sub(rankEpoch)/time.Millisecond)
}

// RankOfReport is what a report adds to the rank of a case.
const RankOfReport = 1_000_000_000_000

var rankEpoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// CaseStep is a decided change of a case. It is stored in the transaction of what causes it.
type CaseStep struct {
	// Before is nil for a new case.
	Before *Case
	After  Case
	// Reported is set if the only change is one more report.
	Reported bool
	// Line is the line of the audit log for a decision, or nil.
	Line *AuditLine
	// Reports are those that the decision takes off the item, kept with the case.
	Reports []Report
}

// Reported returns the step of a report, or of an automatic removal, which counts as none.
// The case is nil if there is none.
func Reported(c *Case, about Item, author UserID, at time.Time, reports int) CaseStep {
	if c == nil {
		return CaseStep{After: Case{
			Item: about, Status: Open, Revision: 1, OpenedAt: at, LastReportedAt: at, ReportCount: reports, AuthorID: author, Rank: rankOf(reports, at),
		}}
	}
	after := *c
	after.ReportCount += reports
	after.LastReportedAt = at
	if c.Status == Open && c.AuthorID == author {
		after.Rank += reports * RankOfReport
		return CaseStep{Before: c, After: after, Reported: true}
	}
	after.Status, after.OpenedAt, after.AuthorID, after.Gone, after.Rank = Open, at, author, false, rankOf(after.ReportCount, at)
	after.Revision++
	return CaseStep{Before: c, After: after}
}

// Decide returns the step of a decision.
func (c *Case) Decide(d Decision) CaseStep {
	after := *c
	after.Status, after.Rank = Decided, int(d.When.UnixMicro())
	after.Revision++
	after.Decisions = append(c.Decisions[:len(c.Decisions):len(c.Decisions)], d)
	return CaseStep{Before: c, After: after}
}

// Ended returns the step for an item that its author has deleted: the case is decided by
// itself.
func (c *Case) Ended(at time.Time) CaseStep {
	after := *c
	after.Gone, after.Status, after.Rank = true, Decided, int(at.UnixMicro())
	after.Revision++
	return CaseStep{Before: c, After: after}
}

// Opened reports whether a step opens a case.
func (s CaseStep) Opened() bool {
	return s.After.Status == Open && (s.Before == nil || s.Before.Status != Open)
}

// CaseOpened tells those who decide that a case has been opened.
type CaseOpened struct{ Item Item }

// CasesOpened is the subject of CaseOpened.
const CasesOpened = "operator.caseOpened"

// Subject returns the subject that subscribers listen to.
func (CaseOpened) Subject() string { return CasesOpened }

// CheckReason refuses what somebody writes in a report if it is too long.
func CheckReason(why string) error {
	if utf8.RuneCountInString(why) > MaxReason {
		return refusal.Invalidf("Reason cannot be longer than %d characters", MaxReason)
	}
	return nil
}
