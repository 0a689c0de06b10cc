package app_test

import (
	"context"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/operator"
	. "stoa/social/socialtest"
)

// operator 7#4: those who decide hear of cases that others claim, decide or end, and that are
// reported again.
func TestCasesChangeLive(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "cleo", "mod", "ozzy").Post("ana", "p1"), func(w *World) {
		flags(w, "p1", "ben")
		ctx, stop := context.WithCancel(w.OperatorContext("ozzy"))
		defer stop()
		changed, err := w.Host.Desk.Service.CaseChanged(ctx)
		if err != nil {
			t.Fatal(err)
		}
		hears := func(what string, is func(c *operator.Case) bool) {
			t.Helper()
			w.Settle()
			select {
			case c := <-changed:
				if c == nil || c.ID() != "social:POST:p1" || !is(c) {
					t.Errorf("%s: heard %+v", what, c)
				}
			default:
				t.Errorf("%s: nothing is heard", what)
			}
		}
		p1 := apptest.Vars{"id": "social:POST:p1"}
		flags(w, "p1", "cleo")
		hears("a report", func(c *operator.Case) bool { return c.ReportCount == 2 })
		w.OperatorDoes("mod", `mutation($id: ID!) { claimCase(id: $id) { id } }`, p1)
		hears("a claim", func(c *operator.Case) bool { return c.ClaimedBy == w.ID("mod") })
		w.Advance(10 * time.Minute)
		w.OperatorDoes("mod", `query($id: ID!) { case(id: $id) { id } }`, p1)
		hears("a look that renews the claim", func(c *operator.Case) bool { return c.ClaimedUntil.Sub(w.Now()) > 14*time.Minute })
		w.OperatorDoes("mod", decide, p1, apptest.Vars{"r": 1, "v": "KEEP"})
		hears("a decision", func(c *operator.Case) bool { return c.Status == "DECIDED" })

		w.OperatorDoes("mod", decide, p1, apptest.Vars{"r": 2, "v": "REMOVE"})
		hears("another decision", func(c *operator.Case) bool { return len(c.Decisions) == 2 })
		w.Does("ana", appeals, p1, apptest.Vars{"t": "no"})
		w.OperatorDoes("ozzy", `mutation($id: ID!) { replyToAppeal(id: $id, text: "why?") { id } }`, p1)
		hears("an answer to an appeal", func(c *operator.Case) bool { return len(c.Appeal.Messages) == 1 })
		w.Does("ana", replies, p1, apptest.Vars{"t": "because"})
		hears("the author's reply", func(c *operator.Case) bool { return len(c.Appeal.Messages) == 2 })
	})
}
