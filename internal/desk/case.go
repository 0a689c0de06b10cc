package desk

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"stoa/internal/kit/refusal"
)

// ContentKind is the kind of what a case is about. Its values are stored.
type ContentKind string

// Kinds of content.
const (
	Post    ContentKind = "POST"
	Comment ContentKind = "COMMENT"
	// Room is where people write messages.
	Room ContentKind = "CHAT"
	// Message is a message of any system.
	Message ContentKind = "CHAT_MESSAGE"
	// Person is somebody, who is the author of the case too.
	Person ContentKind = "PERSON"
)

// Kinds lists all kinds.
var Kinds = []ContentKind{Post, Comment, Room, Message, Person}

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

// RemovedBy says who removed an item. Its values are stored.
type RemovedBy string

// Who removes items.
const (
	// RemovedByAuthor also stands for items that are gone with their authors.
	RemovedByAuthor    RemovedBy = "AUTHOR"
	RemovedByReports   RemovedBy = "REPORTS"
	RemovedByWords     RemovedBy = "WORDS"
	RemovedByModerator RemovedBy = "MODERATOR"
	// RemovedByProgram stands for checks from outside.
	RemovedByProgram RemovedBy = "PROGRAM"
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
	// Source is who brought the case up.
	Source Source `dynamo:"source"`
	// ClaimedBy is who looks at the case until ClaimedUntil.
	ClaimedBy    UserID    `dynamo:"claimedBy"`
	ClaimedUntil time.Time `dynamo:"claimedUntil"`
	// Appeal is the latest one against a decision, or nil. Talk is the number of its messages.
	Appeal *Appeal `dynamo:"appeal"`
	Talk   int     `dynamo:"talk"`
	// RemovedBy is set for what is not left in its system, unless its author deleted it.
	RemovedBy RemovedBy `dynamo:"removedBy"`
	// Check is the outcome of the check of the item, or nil if it allowed what is there.
	Check *Check `dynamo:"check"`
	// Kept is what a decision can bring back.
	Kept Kept `dynamo:",inline"`
}

// Source is who brings a case up. Its values are stored.
type Source string

// Sources.
const (
	// FromPeople stands for reports.
	FromPeople Source = "PEOPLE"
	// FromWords stands for bad words.
	FromWords Source = "WORDS"
	// FromProgram stands for checks from outside.
	FromProgram Source = "PROGRAM"
)

func sourceOf(reports int) Source {
	if reports > 0 {
		return FromPeople
	}
	return FromWords
}

// Kept is an item that was removed, as far as it can come back.
type Kept struct {
	// Noun is the item in the form of its system, "" for none.
	Noun    string `dynamo:"kept"`
	Excerpt string `dynamo:"keptExcerpt"`
	// Until is when it ends.
	Until time.Time `dynamo:"keptUntil"`
}

// KeptFor is how long a removed comment or message can come back.
const KeptFor = 30 * 24 * time.Hour

// IsKept reports whether the item was removed and can come back.
func (c *Case) IsKept(now time.Time) bool { return c.Kept.Noun != "" && now.Before(c.Kept.Until) }

// Decision is one of the decisions about a case. That about an item which is gone has nobody
// who made it.
type Decision struct {
	By      UserID    `dynamo:"by"`
	When    time.Time `dynamo:"when"`
	Verdict Verdict   `dynamo:"verdict"`
	Note    string    `dynamo:"note"`
	// Rule is the id of the house rule that was broken, "" for none.
	Rule string `dynamo:"rule"`
	// Took is how long the case was open, in seconds.
	Took int `dynamo:"took"`
	// Source is who brought the case up.
	Source Source `dynamo:"source"`
	// OnAppeal is set if the decision answers an appeal, Overturns if it takes back the one
	// that was appealed.
	OnAppeal  bool `dynamo:"onAppeal"`
	Overturns bool `dynamo:"overturns"`
}

// Report is what somebody reported. A user has at most one report of an item.
type Report struct {
	By   UserID    `dynamo:"userId"`
	When time.Time `dynamo:"createdAt"`
	// Why is what they wrote; it may be empty.
	Why string `dynamo:"reason"`
}

// ReportedItem is a report with what it is about.
type ReportedItem struct {
	Item
	Report
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
			Source: sourceOf(reports),
		}}
	}
	after := *c
	after.ReportCount += reports
	after.LastReportedAt = at
	// What is reported is there: what was kept had another author, or was another item of the
	// same id.
	after.Kept, after.RemovedBy = Kept{}, ""
	if c.Status == Open && c.AuthorID == author && c.Kept == after.Kept && c.RemovedBy == "" {
		after.Rank += reports * RankOfReport
		return CaseStep{Before: c, After: after, Reported: true}
	}
	after.open(at)
	after.AuthorID, after.Gone, after.Source = author, false, sourceOf(reports)
	return CaseStep{Before: c, After: after}
}

// open opens a case again.
func (c *Case) open(at time.Time) {
	c.Status, c.OpenedAt, c.Rank = Open, at, rankOf(c.ReportCount, at)
	c.Revision++
}

// Decide returns the step of a decision.
func (c *Case) Decide(d Decision) CaseStep {
	after := *c
	after.Status, after.Rank = Decided, int(d.When.UnixMicro())
	after.Revision++
	after.ClaimedBy, after.ClaimedUntil = "", time.Time{}
	d.Took, d.Source = int(d.When.Sub(c.OpenedAt)/time.Second), c.Source
	if c.Status == Decided {
		d.Took = 0
	}
	if d.OnAppeal = c.IsAppealed(); d.OnAppeal {
		d.Overturns = d.Verdict != c.Last().Verdict
	}
	after.Decisions = append(c.Decisions[:len(c.Decisions):len(c.Decisions)], d)
	return CaseStep{Before: c, After: after}
}

// Ends reports whether the deletion of the item by its author matters to the case: it is open, or its
// last decision could be appealed.
func (c *Case) Ends() bool {
	last := c.Last()
	return c.Status == Open || !c.Gone && last != nil && last.Verdict == Remove
}

// Ended returns the step for an item that its author has deleted: an open case is decided by
// itself.
func (c *Case) Ended(at time.Time) CaseStep {
	after := *c
	after.Gone, after.RemovedBy, after.Kept, after.Check = true, "", Kept{}, nil
	if c.Status == Open {
		after.Status, after.Rank = Decided, int(at.UnixMicro())
		after.Revision++
		after.ClaimedBy, after.ClaimedUntil = "", time.Time{}
	}
	return CaseStep{Before: c, After: after}
}

// Removing returns the step with the removal of the item. What is kept may come back; it is
// empty if nothing is.
func (s CaseStep) Removing(by RemovedBy, kept Kept, at time.Time) CaseStep {
	s.Reported = false
	s.After.RemovedBy, s.After.Kept = by, kept
	if kept.Noun != "" {
		s.After.Kept.Until = at.Add(KeptFor)
	}
	return s
}

// Restoring returns the step with the item back in its system.
func (s CaseStep) Restoring() CaseStep {
	s.After.RemovedBy, s.After.Kept = "", Kept{}
	return s
}

// Keeping returns what a case keeps of an item.
func Keeping(noun any, text string) Kept {
	data, err := json.Marshal(noun)
	if err != nil {
		panic(err) // nouns of a system: cannot fail
	}
	return Kept{Noun: string(data), Excerpt: Excerpt(text)}
}

// Restored reads what a case keeps.
func Restored[T any](k Kept) (*T, error) {
	var noun T
	err := json.Unmarshal([]byte(k.Noun), &noun)
	return &noun, err
}

// Without returns what is kept without mentions of a person, or nothing if it refers to them in another
// way, and whether it did.
func (k Kept) Without(id UserID) (_ Kept, changed bool) {
	if !strings.Contains(k.Noun, string(id)) {
		return k, false
	}
	var noun any
	from := json.NewDecoder(strings.NewReader(k.Noun))
	from.UseNumber()
	if from.Decode(&noun) != nil {
		return Kept{}, true
	}
	var tags []string
	noun = unmention(noun, string(id), &tags)
	data, err := json.Marshal(noun)
	k.Noun = string(data)
	for _, tag := range tags {
		k.Noun, k.Excerpt = strings.ReplaceAll(k.Noun, tag, "@"+ErasedName), strings.ReplaceAll(k.Excerpt, tag, "@"+ErasedName)
	}
	if err != nil || strings.Contains(k.Noun, string(id)) {
		return Kept{}, true
	}
	return k, true
}

// ErasedName stands for the name of an erased person in the texts of others.
const ErasedName = "…"

// unmention removes the mentions of a person from the form of a noun, and appends their texts to tags. It
// knows only the form of a mention, since cases keep nouns of any system.
func unmention(noun any, id string, tags *[]string) any {
	switch noun := noun.(type) {
	case map[string]any:
		for name, part := range noun {
			noun[name] = unmention(part, id, tags)
		}
	case []any:
		kept := noun[:0]
		for _, part := range noun {
			mention, _ := part.(map[string]any)
			if tag, ok := mention["Tag"].(string); ok && mention["UserID"] == id {
				*tags = append(*tags, tag)
				continue
			}
			kept = append(kept, unmention(part, id, tags))
		}
		return kept
	}
	return noun
}

// excerptRunes is the maximum length of an excerpt.
const excerptRunes = 500

// Excerpt returns the beginning of a text.
func Excerpt(text string) string {
	n := 0
	for i := range text {
		if n == excerptRunes {
			return text[:i]
		}
		n++
	}
	return text
}

// Cases reads cases for reports.
type Cases interface {
	// Case returns the case of an item, or nil.
	Case(ctx context.Context, i Item) (*Case, error)
}

// ReportedIn reads the case of an item and returns the step of Reported.
func ReportedIn(ctx context.Context, cases Cases, about Item, author UserID, at time.Time, reports int) (CaseStep, error) {
	c, err := cases.Case(ctx, about)
	if err != nil {
		return CaseStep{}, err
	}
	return Reported(c, about, author, at, reports), nil
}

// Opened reports whether a step opens a case.
func (s CaseStep) Opened() bool {
	return s.After.Status == Open && (s.Before == nil || s.Before.Status != Open)
}

// Message returns what those who decide are told about the step.
func (s CaseStep) Message() interface{ Subject() string } {
	if s.Opened() {
		return CaseOpened{s.After.Item}
	}
	return CaseChanged{s.After.Item}
}

// CaseOpened tells those who decide that a case has been opened.
type CaseOpened struct{ Item Item }

// CasesOpened is the subject of CaseOpened.
const CasesOpened = "operator.caseOpened"

// Subject returns the subject that subscribers listen to.
func (CaseOpened) Subject() string { return CasesOpened }

// CaseChanged tells those who decide that a case has been claimed, decided or reported again.
type CaseChanged struct{ Item Item }

// CasesChanged is the subject of CaseChanged.
const CasesChanged = "operator.caseChanged"

// Subject returns the subject that subscribers listen to.
func (CaseChanged) Subject() string { return CasesChanged }

// CheckReason refuses what somebody writes in a report if it is too long.
func CheckReason(why string) error {
	if utf8.RuneCountInString(why) > MaxReason {
		return refusal.Invalidf("Reason cannot be longer than %d characters", MaxReason)
	}
	return nil
}
