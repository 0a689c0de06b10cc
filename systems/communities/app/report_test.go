package app_test

import (
	"fmt"
	"testing"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
)

const report = `mutation($h: ID!, $m: ID!, $r: String) { reportMessage(chatId: $h, id: $m, reason: $r) { id content } }`

// operator 3#7-8: members report messages of group chats, a moderator removes one and takes
// that back, with the numbers of unread messages; what its author deletes is decided by itself.
func TestReportedMessages(t *testing.T) {
	test(t, func(w *world) {
		w.registers("ana", "ben", "cem", "dora")
		chat := w.opens("ana", w.founds("ana", "club", "ben", "cem", "dora"))
		w.enters(chat, "ben", "cem")
		var ids []string
		for i := range 13 {
			ids = append(ids, w.writes("ana", "GROUP", chat, fmt.Sprint("text ", i)))
		}
		of := func(i int) vars { return vars{"h": chat, "m": ids[i]} }
		unread := func(want string) {
			t.Helper()
			w.Is(w.Does("ben", `query($h: ID!) { groupChat(id: $h) { unreadCount } }`, vars{"h": chat}), "groupChat.unreadCount", want)
		}
		w.Refused("PRECONDITION_FAILED OWN_MESSAGE", "ana", report, of(12))
		w.Refused("FORBIDDEN NOT_CHAT_MEMBER", "dora", report, of(12))
		w.Refused("NOT_FOUND", "ben", report, vars{"h": chat, "m": "none"})
		w.Does("ben", report, of(12), vars{"r": "rude"})
		w.Refused("CONFLICT ALREADY_REPORTED", "ben", report, of(12))
		w.Does("cem", report, of(12))
		w.Does("cem", report, of(1))
		unread(`13`)

		s, ctx := w.Host.Desk.Service, w.OperatorContext("oz")
		listed := func() []*desk.Case {
			t.Helper()
			all, err := s.Cases(ctx, operator.Query{Status: desk.Open, System: "communities"}, page.Args{})
			if err != nil {
				t.Fatal(err)
			}
			return all.Items
		}
		open := listed()
		if len(open) != 2 || open[0].ReportCount != 2 || string(open[0].AuthorID) != w.ids["ana"] {
			t.Fatalf("open are %+v", open)
		}
		c := open[0]
		around, err := s.Context(ctx, c)
		if err != nil || len(around) != 10 || around[0].Excerpt != "text 2" || around[9].Excerpt != "text 11" {
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
		const look = `query($h: ID!, $m: ID!) { message(chatType: GROUP, chatId: $h, id: $m) { content deleted } }`
		if got := decides(1, desk.Remove); got.Visible || got.RemovedBy != desk.RemovedByModerator || got.Excerpt != "text 12" {
			t.Errorf("a removed message is %+v", got)
		}
		w.Is(w.Does("ben", look, of(12)), "message", `{"content":null,"deleted":true}`)
		unread(`12`)
		w.Whole()
		if got := decides(2, desk.Keep); !got.Visible || got.RemovedBy != "" {
			t.Errorf("a restored message is %+v", got)
		}
		w.Is(w.Does("ben", look, of(12)), "message", `{"content":"text 12","deleted":false}`)
		unread(`13`)
		w.Whole()

		w.Does("ana", `mutation($h: ID!, $m: ID!) { deleteMessage(chatType: GROUP, chatId: $h, id: $m) { id } }`, of(1))
		w.Settle()
		if left := listed(); len(left) != 0 {
			t.Errorf("open are %+v", left)
		}
	})
}
