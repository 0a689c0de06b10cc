package desk

import (
	"cmp"
	"time"
)

// Judgement tells the author of an item, or a person themselves, what was decided about them.
type Judgement struct {
	// CaseID is "" for a decision without a case.
	CaseID string
	Item   Item
	Person UserID
	At     time.Time
	// What is what was done.
	What Judged
	// By is who decided.
	By RemovedBy
	// Rule is the id of the house rule that was broken, "" for none.
	Rule string
	// RuleTitle is its title.
	RuleTitle string
	// OnAppeal is set for the outcome of an appeal.
	OnAppeal bool `json:",omitempty"`
	// Number counts answers to an appeal.
	Number int `json:",omitempty"`
	// Text is an answer to an appeal, or the reason of a suspension.
	Text string
	// Until is when a suspension ends; zero for never.
	Until time.Time
}

// Judged is what was done. Its values are stored.
type Judged string

// What is done.
const (
	ItemRemoved      Judged = "REMOVED"
	ItemKept         Judged = "KEPT"
	AppealAnswered   Judged = "ANSWERED"
	AccountSuspended Judged = "SUSPENDED"
)

// EventName returns the stored name.
func (Judgement) EventName() string { return "operator.judgement" }

// OrderingKey orders what one person is told.
func (j Judgement) OrderingKey() string { return string(j.Person) }

// Judgement returns what the author of the item is told about the step of a decision, and
// false if that is nothing: nothing was done to the item of a case that is kept.
func (s CaseStep) Judgement() (j Judgement, tell bool) {
	d := s.After.Last()
	j = Judgement{CaseID: s.After.ID(), Item: s.After.Item, Person: s.After.AuthorID, At: d.When, By: RemovedByModerator, Rule: d.Rule,
		OnAppeal: d.OnAppeal}
	if j.What = ItemRemoved; d.Verdict == Keep {
		j.What = ItemKept
		return j, j.Person != "" && (d.OnAppeal || s.Before.RemovedBy != "")
	}
	return j, j.Person != ""
}

// spoken are kinds of content in texts for their authors.
var spoken = map[ContentKind]string{Post: "post", Comment: "comment", Room: "chat", Message: "message", Person: "profile"}

// Title says in one line what was done, and who did it.
func (j Judgement) Title() string {
	thing := "Your " + cmp.Or(spoken[j.Item.Kind], "account")
	switch {
	case j.What == AppealAnswered:
		return "A moderator answered your appeal"
	case j.What == AccountSuspended:
		return "Your account is suspended"
	case j.What == ItemKept && j.OnAppeal:
		return "Your appeal was successful"
	case j.What == ItemKept:
		return thing + " is back: a moderator decided to keep it"
	case j.OnAppeal:
		return "Your appeal was declined"
	case j.Item.Kind == Person:
		return "A moderator decided that your profile breaks the rules"
	default:
		return thing + " was removed by a moderator"
	}
}

// Details says by which rule it was done, until when, and how to appeal, in one line.
func (j Judgement) Details() string {
	text := ""
	add := func(sentence string) {
		if text != "" {
			text += " "
		}
		text += sentence
	}
	if j.RuleTitle != "" {
		add("Rule: " + j.RuleTitle + ".")
	}
	if !j.Until.IsZero() {
		add("Until " + j.Until.UTC().Format("2 January 2006 15:04") + " UTC.")
	}
	if j.Text != "" {
		add(j.Text)
	}
	if j.Appealable() {
		add("You can appeal within 30 days.")
	}
	return text
}

// Appealable reports whether the person can appeal.
func (j Judgement) Appealable() bool {
	return j.What == ItemRemoved && j.By == RemovedByModerator && j.CaseID != ""
}
