package social

import (
	"time"

	"stoa/internal/desk"
)

// AppealStatus says what has become of an appeal.
type AppealStatus string

// Statuses of appeals.
const (
	AppealOpen     AppealStatus = "OPEN"
	AppealDeclined AppealStatus = "DECLINED"
	AppealAccepted AppealStatus = "ACCEPTED"
)

// Appeal is an appeal as its author sees it. It does not tell who decides.
type Appeal struct {
	CaseID     string
	Status     AppealStatus
	Text       string
	AppealedAt time.Time
	Messages   []AppealMessage
}

// AppealMessage is a message about an appeal.
type AppealMessage struct {
	FromAuthor bool
	SentAt     time.Time
	Text       string
}

// SeeAppeal returns the appeal of a case as its author sees it. There must be one.
func SeeAppeal(c *desk.Case) *Appeal {
	a := &Appeal{CaseID: c.ID(), Status: AppealOpen, Text: c.Appeal.Text, AppealedAt: c.Appeal.When, Messages: []AppealMessage{}}
	if d := c.Last(); !c.IsAppealed() && d != nil {
		if a.Status = AppealDeclined; d.Verdict == desk.Keep {
			a.Status = AppealAccepted
		}
	}
	for _, m := range c.Appeal.Messages {
		a.Messages = append(a.Messages, AppealMessage{m.FromAuthor, m.When, m.Text})
	}
	return a
}
