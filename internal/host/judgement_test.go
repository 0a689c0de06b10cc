package host

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/desk"
)

// operator 7#1: a mail says what was removed, when, by which rule, who decided, and how to appeal.
func TestMailsAboutDecisions(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 0, 0, time.UTC)
	item := desk.Item{System: "social", Kind: desk.Post, ItemID: "p1"}
	for _, c := range []struct {
		name                string
		of                  desk.Judgement
		subject, link, text string
	}{
		{
			"a removal", desk.Judgement{CaseID: item.ID(), Item: item, At: at, What: desk.ItemRemoved, By: desk.RemovedByModerator, RuleTitle: "No spam"},
			"App: Your post was removed by a moderator", "https://app.example/moderation/social:POST:p1",
			"Your post was removed by a moderator.\n\nWhen: 2 January 2030 03:04 UTC\nCase: social:POST:p1\nDecided by: the moderators of App\nRule: No spam\n\n" +
				"If you think that this is wrong, you can appeal within 30 days: https://app.example/moderation/social:POST:p1\n",
		},
		{
			"a declined appeal", desk.Judgement{CaseID: item.ID(), Item: item, At: at, What: desk.ItemRemoved, By: desk.RemovedByModerator, OnAppeal: true},
			"App: Your appeal was declined", "https://app.example/moderation/social:POST:p1", "",
		},
		{
			"a successful appeal", desk.Judgement{CaseID: item.ID(), Item: item, At: at, What: desk.ItemKept, OnAppeal: true},
			"App: Your appeal was successful", "",
			"Your appeal was successful.\n\nWhen: 2 January 2030 03:04 UTC\nCase: social:POST:p1\nDecided by: the moderators of App\n",
		},
		{
			"an answer", desk.Judgement{CaseID: item.ID(), Item: item, At: at, What: desk.AppealAnswered, Text: "We will look."},
			"App: A moderator answered your appeal", "", "",
		},
		{
			"a suspension", desk.Judgement{At: at, What: desk.AccountSuspended, By: desk.RemovedByModerator, Text: "insults", Until: at.Add(24 * time.Hour)},
			"App: Your account is suspended", "",
			"Your account is suspended.\n\nWhen: 2 January 2030 03:04 UTC\nDecided by: the moderators of App\nUntil: 3 January 2030 03:04 UTC\n\ninsults\n\n" +
				"Within 30 days of a decision to remove something of yours, you can still sign in to appeal it.\n",
		},
	} {
		m := judgementMail(c.of, "App", "https://app.example")
		if m.Subject != c.subject || m.Link != c.link {
			t.Errorf("%s: subject %q, link %q", c.name, m.Subject, m.Link)
		}
		if c.text != "" && m.Text != c.text {
			t.Errorf("%s: text %q", c.name, m.Text)
		}
		if c.of.Text != "" && !strings.Contains(m.Text, "\n"+c.of.Text+"\n") {
			t.Errorf("%s: text %q", c.name, m.Text)
		}
	}
}

// A repeated delivery is the same message; another decision at the same time is not.
func TestIDsOfMailsAboutDecisions(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 0, 0, time.UTC)
	j := desk.Judgement{CaseID: "social:POST:p1", Person: "ana", At: at}
	other := j
	other.CaseID = "social:POST:p2"
	if mailID(j) != mailID(j) || mailID(j) == mailID(other) {
		t.Error("the ids of mails do not tell decisions apart")
	}
}
