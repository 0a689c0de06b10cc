package app_test

import (
	"testing"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

const report = `mutation($t: ID!, $s: Int!, $r: String) { reportMessage(topicId: $t, seqId: $s, reason: $r) { seqId content } }`

// operator 3#7-8: members report messages of groups, a moderator removes one and takes that
// back; what its author deletes is decided by itself.
func TestReportedMessages(t *testing.T) {
	test(t, func(w *world) {
		w.joins("ana", "ben", "cem", "dora")
		g := w.group("ana", vars{}, "ben", "cem")
		w.counts("ana", g, 15)
		p := w.chats("ana", "ben")
		w.says("ana", p, "private")
		of := func(topic string, seq int) vars { return vars{"t": topic, "s": seq} }

		w.Refused("BAD_INPUT NOT_A_GROUP", "ben", report, of(p, 1))
		w.Refused("PRECONDITION_FAILED OWN_MESSAGE", "ana", report, of(g, 12))
		w.Refused("NOT_FOUND", "ben", report, of(g, 16))
		w.Refused("FORBIDDEN NO_READ", "dora", report, of(g, 12))
		w.Is(w.Does("ben", report, of(g, 12), vars{"r": "rude"}), "reportMessage.seqId", `12`)
		w.Refused("CONFLICT ALREADY_REPORTED", "ben", report, of(g, 12))
		w.Does("cem", report, of(g, 12))
		w.Does("cem", report, of(g, 2))

		s, ctx := w.Host.Desk.Service, w.OperatorContext("oz")
		listed := func(status desk.CaseStatus) []*desk.Case {
			t.Helper()
			all, err := s.Cases(ctx, operator.Query{Status: status, System: "messaging"}, page.Args{})
			if err != nil {
				t.Fatal(err)
			}
			return all.Items
		}
		open := listed(desk.Open)
		if len(open) != 2 || open[0].ItemID != g+":12" || open[0].ReportCount != 2 || open[0].AuthorID != w.of("ana") {
			t.Fatalf("open are %+v", open)
		}
		c := open[0]
		around, err := s.Context(ctx, c)
		if err != nil || len(around) != 10 || around[0].ItemID != g+":2" || around[9].ItemID != g+":11" {
			t.Errorf("around are %d: %v", len(around), err)
		}
		decides := func(revision int, v desk.Verdict) *operator.Shown {
			t.Helper()
			after, err := s.DecideCase(ctx, c.ID(), revision, operator.Ruling{Verdict: v})
			if err != nil {
				t.Fatal(err)
			}
			w.Settle()
			shown, err := s.Contents(ctx, []*desk.Case{after})
			if err != nil {
				t.Fatal(err)
			}
			return shown[after]
		}
		if got := decides(1, desk.Remove); got.Visible || got.RemovedBy != desk.RemovedByModerator || got.Excerpt != "12" {
			t.Errorf("a removed message is %+v", got)
		}
		w.Is(w.Does("ben", `query($t: ID!) { message(topicId: $t, seqId: 12) { content } }`, vars{"t": g}), "message.content", `null`)
		if got := decides(2, desk.Keep); !got.Visible || got.RemovedBy != "" {
			t.Errorf("a restored message is %+v", got)
		}
		w.Is(w.Does("ben", `query($t: ID!) { message(topicId: $t, seqId: 12) { content deletedAt } }`, vars{"t": g}), "message", `{"content":"12","deletedAt":null}`)
		w.Advance(time.Second)
		w.Does("ben", report, of(g, 12)) // again: it was decided
		if again := listed(desk.Open); len(again) != 2 || again[0].Revision != 4 {
			t.Errorf("open are %+v", again)
		}

		w.Does("ana", erase, vars{"t": g, "s": []int{2, 3}, "h": true})
		w.Settle()
		if left := listed(desk.Open); len(left) != 1 || left[0].ItemID != g+":12" {
			t.Errorf("open are %+v", left)
		}
		w.Whole()
	})
}
