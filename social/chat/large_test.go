package chat_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/apptest"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// crowd returns the names of n users, and a setup that signs them up.
func crowd(n int) (names []string, given Given) {
	for i := range n {
		names = append(names, fmt.Sprintf("u%03d", i))
	}
	return names, Users(names...)
}

func idsOf(names []string) string {
	return `"{` + strings.Join(names, `}" "{`) + `}"`
}

func group(by string, names []string) Given {
	return Given{}.Does(by, `mutation { createGroupChat(chatId: "g", name: "all", userIds: [%s], messageId: "m0", messageText: "hi") { chatId } }`, idsOf(names))
}

// Groups have no limit on members. Everything is visible when the request is answered, and
// each member gets the same notifications as in a small group (3.2, 3.3, 3.6; realtime 6).
func TestLargeGroups(t *testing.T) {
	names, given := crowd(101)
	Test(t, given.And(Given{}.ListenToChats("u000", "u001", "u100").Listen("u100")...), func(w *World) {
		create := w.Must("u000", fmt.Sprintf(`mutation { createGroupChat(chatId: "g", userIds: [%s], messageId: "m0", messageText: "hi") {
			usersCount messagesCount unviewed: messagesCount(viewedStatus: NOT_VIEWED) messages { items { text textTaggedUsers { tag } } } } }`, idsOf(names)))
		if got := string(create.Data); !strings.HasPrefix(got, `{"createGroupChat":{"usersCount":101,"messagesCount":3,"unviewed":2,`) || strings.Count(got, `"tag"`) != 102 {
			w.T.Errorf("the group begins as %.200s, with %d tags", got, strings.Count(got, `"tag"`))
		}
		w.Settle()
		heard := w.TakeHeard()
		w.Play(
			Scenario{
				As: "u100",
				Query: `{ chat(chatId: "g") { usersCount messagesCount(viewedStatus: NOT_VIEWED) users(limit: 100) { items { username } nextToken } } ` +
					`self { chatCount chatsWithUnviewedMessagesCount chats { items { chatId } } } }`,
			},
		)
		for name, want := range map[string]int{"u000": 2, "u001": 2, "u040": 2, "u041": 2, "u100": 2} {
			if got := unviewed(w, name); got != want {
				w.T.Errorf("%s has %d messages to view, want %d", name, got, want)
			}
		}
		for name, want := range map[string][]string{"u000": {"created", "added"}, "u001": {"added", "hi"}, "u100": {"added", "hi"}} {
			var texts []string
			for _, e := range heard[name] {
				for _, text := range []string{"created", "added", "hi"} {
					if strings.Contains(fmt.Sprint(e), text) {
						texts = append(texts, text)
						break
					}
				}
			}
			if fmt.Sprint(texts) != fmt.Sprint(want) {
				w.T.Errorf("%s hears %q, want %q", name, texts, want)
			}
		}
		w.Play(Scenario{As: "u050", Query: `mutation { addChatMessage(chatId: "g", messageId: "m1", text: "so") { viewedStatus chat { messagesCount } } }`,
			Want:  `{"addChatMessage":{"viewedStatus":"VIEWED","chat":{"messagesCount":4}}}`,
			Hears: Hears{"u000": {told("ADDED", "so", "u050")}, "u001": {told("ADDED", "so", "u050")}, "u100": {told("ADDED", "so", "u050")}}})
		w.Play(
			Scenario{
				As:     "u100",
				Query:  `mutation { reportChatViews(chatIds: ["g"]) }`,
				Counts: Counts{"u100.chatsWithUnviewedMessagesCount": -1, "u100.cardCount": -1, "g member/u100.messagesUnviewedCount": -3, "g view/u100.viewCount": 1},
			},
		)
		w.Play(Scenario{As: "u050", Query: `mutation { editChatMessage(messageId: "m1", text: "no") { text } }`,
			Hears: Hears{"u000": {told("EDITED", "no", "u050")}, "u001": {told("EDITED", "no", "u050")}, "u100": {told("EDITED", "no", "u050")}}})
		w.Play(Scenario{As: "u050", Query: `mutation { deleteChatMessage(messageId: "m1") { text } }`,
			Hears: Hears{"u000": {told("DELETED", "no", "u050")}, "u001": {told("DELETED", "no", "u050")}, "u100": {told("DELETED", "no", "u050")}}})
		for name, want := range map[string]int{"u000": 2, "u001": 2, "u050": 2, "u100": 0} {
			if got := unviewed(w, name); got != want {
				w.T.Errorf("%s has %d messages to view, want %d", name, got, want)
			}
		}
		// A forced removal causes no notification, and the message no longer counts for
		// anyone (chats 4.8).
		w.Do(Given{}.Say("u050", "g", "m2")...)
		for i := range 11 {
			w.Must(names[60+i], `mutation { flagChatMessage(messageId: "m2") { messageId } }`)
		}
		w.Settle()
		for name, all := range w.TakeHeard() {
			for _, e := range all {
				if strings.Contains(fmt.Sprint(e), "DELETED") {
					w.T.Errorf("%s hears %v", name, e)
				}
			}
		}
		if n := unviewed(w, "u001"); n != 2 || w.Get(store.Main.Name, "chatMessage/m2", "-") != nil {
			w.T.Errorf("u001 has %d messages to view, want 2", n)
		}
		w.Play(Scenario{As: "u001", Query: `mutation { leaveGroupChat(chatId: "g") { usersCount messagesCount users(limit: 1) { items { username } } } }`})
		w.Play(
			Scenario{
				As:    "u001",
				Query: `{ chat(chatId: "g") { chatId } self { chatCount chatsWithUnviewedMessagesCount } }`,
				Want:  `{"chat":null,"self":{"chatCount":0,"chatsWithUnviewedMessagesCount":0}}`,
			},
		)
		w.Play(Scenario{As: "u002", Query: `mutation { addToGroupChat(chatId: "g", userIds: ["{u001}", "{u003}"]) { usersCount } }`, Want: `{"addToGroupChat":{"usersCount":101}}`})
		w.Play(Scenario{As: "u001", Query: `{ chat(chatId: "g") { messagesCount(viewedStatus: NOT_VIEWED) } }`, Want: `{"chat":{"messagesCount":1}}`})
		w.Play(Scenario{As: "u002", Query: `mutation { editGroupChat(chatId: "g", name: "x") { name } }`, Want: `{"editGroupChat":{"name":"x"}}`})
	})
}

// realtime 6: whoever is a member when a message is edited or deleted hears of it, also those who
// have joined a large group since it was written.
func TestNewMembersOfALargeGroupHearOfOldMessages(t *testing.T) {
	names, given := crowd(48)
	given = given.And(group("u000", names[1:47])...).Does("u000", `mutation { addToGroupChat(chatId: "g", userIds: ["{u047}"]) { chatId } }`).ListenToChats("u001", "u047")
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "u000", Query: `mutation { editChatMessage(messageId: "m0", text: "so") { text } }`,
			Hears: Hears{"u001": {told("EDITED", "so", "u000")}, "u047": {told("EDITED", "so", "u000")}}})
		w.Play(Scenario{As: "u000", Query: `mutation { deleteChatMessage(messageId: "m0") { text } }`,
			Hears: Hears{"u001": {told("DELETED", "so", "u000")}, "u047": {told("DELETED", "so", "u000")}}})
	})
}

func told(change, text, by string) string {
	return `{"onChatMessageNotification":{"type":"` + change + `","message":{"text":"` + text + `","authorUserId":"{` + by + `}","author":{"username":"` + by +
		`"},"chat":{"chatId":"g"}}}}`
}

func unviewed(w *World, name string) int {
	item := w.Get(store.Main.Name, "chat/g", "member/"+string(w.ID(name)))
	var n int
	_, _ = fmt.Sscan(fmt.Sprint(item["messagesUnviewedCount"]), &n)
	return n
}

// The unviewed counts of all members stay correct while a group becomes large and shrinks,
// compared with a naive count of its messages.
func TestMembersOfALargeGroupCountRight(t *testing.T) {
	names, given := crowd(70)
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		Test(t, given.And(group("u000", names[1:43])...), func(w *World) {
			r := rand.New(rand.NewPCG(seed, 1))
			chats := store.Open(w.DB).Chats
			for step := range 60 {
				by := names[r.IntN(len(names))]
				switch r.IntN(12) {
				case 0:
					w.Ask(by, fmt.Sprintf(`mutation { addToGroupChat(chatId: "g", userIds: [%s]) { chatId } }`, idsOf(names[r.IntN(60):][:10])))
				case 1:
					w.Ask(by, `mutation { leaveGroupChat(chatId: "g") { chatId } }`)
				case 2, 3, 4:
					w.Ask(by, `mutation { reportChatViews(chatIds: ["g"]) }`)
				case 5, 6:
					w.Ask(by, fmt.Sprintf(`mutation { deleteChatMessage(messageId: "s%d") { messageId } }`, r.IntN(step+1)))
				case 7:
					w.Ask(by, `mutation { editGroupChat(chatId: "g", name: "n") { name } }`)
				default:
					w.Together(2, func(i int) {
						w.Ask(
							names[(step+i)%len(names)],
							fmt.Sprintf(`mutation { addChatMessage(chatId: "g", messageId: "%s%d", text: "x") { messageId } }`, []string{"s", "t"}[i], step),
						)
					})
				}
			}
			w.Settle()
			compareUnviewed(w, chats)
			for _, problem := range w.Problems() {
				w.T.Error(problem)
			}
			if entries, err := chats.Entries(w.T.Context(), "g"); len(entries) != 0 || err != nil {
				w.T.Errorf("%d entries of the journal are left, %v", len(entries), err)
			}
		})
	}
}

// A group of a version before, whose messages moved all members, has the same place in lists: of
// those who come after a message, those who view it first, and those who leave.
func TestFormerMembersOfALargeGroup(t *testing.T) {
	names, given := crowd(50)
	given = given.And(group("u000", names[1:])...).DirectChat("u001", "u002", "d", "d0").DirectChat("u004", "u002", "e", "e0")
	Test(t, given, func(w *World) {
		db := dynamo.NewFromIface(w.Client.Engine())
		for _, name := range names {
			id := string(w.ID(name))
			member, profile := w.Get(store.Main.Name, "chat/g", "member/"+id), w.Get(store.Main.Name, "user/"+id, "profile")
			delete(member, "placedByChat")
			member["gsiK2SortKey"] = "chat/" + fmt.Sprint(w.Get(store.Main.Name, "chat/g", "-")["lastMessageActivityAt"])
			delete(profile, "inLargeChats")
			w.Put(store.Main.Name, member)
			w.Put(store.Main.Name, profile)
			if err := db.Table(apptest.Prefix+ops.Table.Name).Delete(ops.Table.PK, "largeMember/"+id).Range(ops.Table.SK, "g").Run(w.T.Context()); err != nil {
				w.T.Fatal(err)
			}
		}
		list := func(name, want string) {
			w.T.Helper()
			w.Play(Scenario{As: name, Query: `{ self { chats { items { chatId } } } }`, Want: `{"self":{"chats":{"items":[` + want + `]}}}`})
		}
		list("u001", `{"chatId":"d"},{"chatId":"g"}`)
		w.Must("u004", `mutation { reportChatViews(chatIds: ["g"]) }`)
		list("u004", `{"chatId":"e"},{"chatId":"g"}`)
		w.Must("u005", `mutation { leaveGroupChat(chatId: "g") { chatId } }`)
		list("u005", ``)
		w.Do(Given{}.Say("u003", "g", "m1")...)
		list("u001", `{"chatId":"g"},{"chatId":"d"}`)
		list("u004", `{"chatId":"g"},{"chatId":"e"}`)
		w.Do(Given{}.Say("u002", "d", "d1")...)
		list("u001", `{"chatId":"d"},{"chatId":"g"}`)
		if place := w.Get(store.Main.Name, "chat/g", "member/{u001}")["placedByChat"]; place != true {
			w.T.Errorf("the chat does not place its member: %v", place)
		}
		for _, problem := range w.Problems() {
			w.T.Error(problem)
		}
	})
}

// A member whom a group places only while they leave it, since it has just become large, is no longer
// listed with it.
func TestLeavingALargeGroupAmidBeingPlaced(t *testing.T) {
	names, given := crowd(47)
	given = given.And(group("u000", names[1:])...).ViewChat("u001", "g")
	Test(t, given, func(w *World) {
		member := w.Get(store.Main.Name, "chat/g", "member/{u001}")
		delete(member, "placedByChat")
		w.Put(store.Main.Name, member)
		err := dynamo.NewFromIface(w.Client.Engine()).Table(apptest.Prefix+ops.Table.Name).
			Delete(ops.Table.PK, "largeMember/"+string(w.ID("u001"))).Range(ops.Table.SK, "g").Run(w.T.Context())
		if err != nil {
			w.T.Fatal(err)
		}
		check := w.Meanwhile([]apptest.Step{func(w *World) { w.Do(Given{}.ViewChat("u001", "g")...) }})
		w.Must("u001", `mutation { leaveGroupChat(chatId: "g") { chatId } }`)
		check()
		Sound(w)
	})
}

func firstPage() page.Query { return page.Query{First: page.Max} }

func compareUnviewed(w *World, chats *store.Chats) {
	w.T.Helper()
	ctx := w.T.Context()
	members, err := chats.Members(ctx, "g")
	if err != nil {
		w.T.Fatal(err)
	}
	var messages []*social.ChatMessage
	for q := firstPage(); ; {
		p, err := chats.Messages(ctx, "g", q, false)
		if err != nil {
			w.T.Fatal(err)
		}
		if messages = append(messages, p.Items...); p.Next == "" {
			break
		}
		q.After = p.Next
	}
	for _, m := range members {
		viewed, err := chats.ViewedAt(ctx, "g", []social.UserID{m.UserID})
		if err != nil {
			w.T.Fatal(err)
		}
		want := 0
		for _, message := range messages {
			if message.UserID != m.UserID && !message.CreatedAt.Before(m.JoinedAt) && message.CreatedAt.After(viewed[m.UserID]) {
				want++
			}
		}
		if m.MessagesUnviewedCount != want {
			w.T.Errorf("%s has %d messages to view, want %d", w.People.Name(string(m.UserID)), m.MessagesUnviewedCount, want)
		}
	}
}
