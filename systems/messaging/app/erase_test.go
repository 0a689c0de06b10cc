package app_test

import (
	"testing"

	"stoa/internal/operator"
)

// operator 4#4: nothing is left of an erased user, neither their messages in the groups of
// others nor two-person topics, whose ids have theirs.
func TestNothingIsLeftOfAnErasedUser(t *testing.T) {
	test(t, func(w *world) {
		w.joins("ana", "ben", "cem")
		group := w.group("ben", vars{}, "ana", "cem")
		w.says("ana", group, "first of hers", "second of hers", "third of hers")
		w.says("ben", group, "his own")
		w.Does("ben", report, vars{"t": group, "s": 1, "r": "rude"})
		w.Does("ana", report, vars{"t": group, "s": 4, "r": "complaint of hers"})
		w.Does("ana", erase, vars{"t": group, "s": []int{2}, "h": true})
		w.Does("ana", erase, vars{"t": group, "s": []int{4}})
		own := w.group("ana", vars{}, "ben")
		w.says("ana", own, "in a group of hers")
		w.Does("ana", `mutation { registerDevice(id: "phone of hers", platform: ANDROID) { id } }`)
		pair := w.chats("ana", "ben")
		w.says("ana", pair, "whisper of hers")
		w.says("ben", pair, "answer of hers")
		w.Settle()
		s, ctx := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root")
		if _, err := s.DecideCase(ctx, "messaging:CHAT_MESSAGE:"+group+":1", 1, operator.Ruling{Verdict: "REMOVE"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ErasePerson(ctx, w.of("ana"), "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.Left(w.ids["ana"], string(w.of("ana")), login("ana"), " of hers", pair)
		got := w.Does("ben", history, vars{"t": group})
		for _, m := range got.Items("messages.items") {
			if (m.At("content") == nil) == (m.At("seqId") == float64(4)) {
				t.Errorf("a message is %v", m)
			}
		}
		if mine := w.Does("ben", `{ myTopics(limit: 10) { items { topic { kind } } } }`).List("myTopics.items", "topic.kind"); mine != "GROUP" {
			t.Errorf("ben has the topics %s", mine)
		}
		w.Whole()
	})
}
