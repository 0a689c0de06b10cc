package app_test

import (
	"testing"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/operator"
	"stoa/systems/communities"
)

// operator 4#4: nothing is left of an erased user, neither their messages nor what they did to
// others. Their communities have other founders or are gone, and what others count still holds.
func TestNothingIsLeftOfAnErasedUser(t *testing.T) {
	test(t, func(w *world) {
		w.registers("ana", "ben", "cem")
		club, lonely := w.founds("ana", "Club", "cem", "ben"), w.founds("ana", "Alone")
		w.opens("ana", lonely)
		chat := w.opens("ana", club)
		w.enters(chat, "ben")
		closed := w.opens("ana", club, vars{"private": true})
		asked := w.Does("cem", ask, vars{"h": closed, "n": "let me in"}).Text("requestToJoin.id")
		w.Does("ana", `mutation($r: ID!) { acceptChatRequest(id: $r) { id } }`, vars{"r": asked})
		var ids []string
		for _, text := range []string{"one of hers", "two of hers", "three of hers"} {
			ids = append(ids, w.writes("ana", "GROUP", chat, text))
		}
		w.Does("ana", send, vars{"t": "GROUP", "h": chat, "x": "with id of hers", "k": "key-of-hers"})
		w.Does("ana", erase, vars{"t": "GROUP", "h": chat, "m": ids[0]})
		w.Does("ben", report, vars{"h": chat, "m": ids[1], "r": "rude"})
		own := w.writes("ben", "GROUP", chat, "his own")
		w.Does("ana", react, vars{"t": "GROUP", "h": chat, "m": own, "r": "LIKE"})
		w.Does("ana", report, vars{"h": chat, "m": own, "r": "complaint of hers"})
		pair := w.meets("ana", "ben")
		w.writes("ana", "PRIVATE", pair, "whisper of hers")
		w.writes("ben", "PRIVATE", pair, "answer of hers")
		w.Settle()

		s, ctx := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root")
		cases, err := s.Cases(ctx, operator.Query{Status: desk.Open}, page.Args{})
		if err != nil || len(cases.Items) != 2 {
			t.Fatalf("the cases are %v, %v", cases.Items, err)
		}
		for _, c := range cases.Items {
			if string(c.AuthorID) != w.ids["ana"] {
				continue
			}
			if _, err := s.DecideCase(ctx, c.ID(), c.Revision, operator.Ruling{Verdict: desk.Remove}); err != nil {
				t.Fatal(err)
			}
		}
		w.Settle()
		if _, err := s.ErasePerson(ctx, communities.UserID(w.ids["ana"]), "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.Left(w.ids["ana"], "Name of ana", "ana@example.com", " of hers", "key-of-hers")
		w.Is(w.Does("ben", `query($c: ID!) { community(id: $c) { memberCount founder { username } } }`, vars{"c": club}), "community",
			`{"founder":{"username":"cem"},"memberCount":2}`)
		got := w.Does("ben", `query($h: ID!) { groupChat(id: $h) { unreadCount owner { username }
			messages(limit: 10) { items { content deleted author { username } } } } }`, vars{"h": chat})
		w.Is(w.Does("ben", `query($c: ID!) { community(id: $c) { id } }`, vars{"c": lonely}), "community", `null`)
		w.Is(got, "groupChat.unreadCount", `0`)
		w.Is(got, "groupChat.owner.username", `"ben"`)
		for i, m := range got.Items("groupChat.messages.items") {
			if author := m.At("author"); author != nil == (m.At("content") != "his own") {
				t.Errorf("message %d is %v", i, m)
			}
		}
		w.Whole()
	})
}
