package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	. "stoa/social/socialtest"
)

const (
	caseOf = `query($id: ID!) { case(id: $id) { status revision reportCount visible removedBy excerpt author { username } context { kind itemId excerpt author { username } }
		reports { items { who { username } why } } } }`
	verdict = `mutation($id: ID!, $r: Int!, $v: Verdict!) { decideCase(id: $id, revision: $r, verdict: $v) { status revision visible removedBy excerpt } }`
	// badWord is on the built-in list.
	badWord = "uoiFZP8bjS"
)

func decides(w *World, as, id string, revision int, v, want string) {
	w.T.Helper()
	w.OperatorAnswered(as, verdict, `{"decideCase":`+want+`}`, apptest.Vars{"id": id, "r": revision, "v": v})
	w.Settle()
}

func shows(w *World, id, want string) {
	w.T.Helper()
	w.OperatorAnswered("mod", caseOf, `{"case":`+want+`}`, apptest.Vars{"id": id})
}

// asBefore compares counters with those before a removal that was taken back. Cards tell of both.
func asBefore(w *World, before Counts) {
	w.T.Helper()
	for counter, n := range w.Counters() {
		if n != before[counter] && !strings.HasSuffix(counter, ".reportCount") && !strings.HasSuffix(counter, ".cardCount") {
			w.T.Errorf("%s is %d, and was %d before", counter, n, before[counter])
		}
	}
}

// operator 3#1-3, 3#6 and 3#8: a comment that the crowd removes is kept with its case, with the post as
// its context; KEEP brings it back, and no crowd removes it again; REMOVE removes it once.
func TestCasesOfComments(t *testing.T) {
	people := Users("mod", "ozzy").And(Viewed(6, "ana", "ben")...).Comment("ben", "p1", "c1")
	TestStaffed(t, people, func(w *World) {
		const id, shown = "social:COMMENT:c1", `{ post(postId: "p1") { commentsCount comments { items { commentId text } } } }`
		before := w.Counters()
		w.Does("viewer0", `mutation { flagComment(commentId: "c1", reason: "rude") { flagStatus } }`)
		w.Settle()
		w.Is(w.Does("ana", shown), "post.comments.items", `[]`)
		shows(w, id, `{"status":"OPEN","revision":1,"reportCount":1,"visible":false,"removedBy":"REPORTS","excerpt":"text of c1","author":{"username":"ben"},
			"context":[{"kind":"POST","itemId":"p1","excerpt":"text of p1","author":{"username":"ana"}}],"reports":{"items":[{"who":{"username":"viewer0"},"why":"rude"}]}}`)
		if n := w.Counters()["ben.commentForcedDeletionCount"]; n != 1 {
			t.Errorf("%d removals count", n)
		}
		w.Whole()

		decides(w, "mod", id, 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"text of c1"}`)
		w.Compare(shown, w.Must("ana", shown).Data, `{"post":{"commentsCount":1,"comments":{"items":[{"commentId":"c1","text":"text of c1"}]}}}`)
		asBefore(w, before)
		w.Whole()

		for i := range 3 {
			w.Does(fmt.Sprint("viewer", i), `mutation { flagComment(commentId: "c1") { flagStatus } }`)
		}
		w.Settle()
		w.Is(w.Does("ana", shown), "post.commentsCount", `1`)
		shows(w, id, `{"status":"OPEN","revision":3,"reportCount":4,"visible":true,"removedBy":null,"excerpt":"text of c1","author":{"username":"ben"},
			"context":[{"kind":"POST","itemId":"p1","excerpt":"text of p1","author":{"username":"ana"}}],
			"reports":{"items":[{"who":{"username":"viewer0"},"why":null},{"who":{"username":"viewer1"},"why":null},{"who":{"username":"viewer2"},"why":null},
			{"who":{"username":"viewer0"},"why":"rude"}]}}`)
		decides(w, "ozzy", id, 3, "REMOVE", `{"status":"DECIDED","revision":4,"visible":false,"removedBy":"MODERATOR","excerpt":"text of c1"}`)
		decides(w, "ozzy", id, 4, "REMOVE", `{"status":"DECIDED","revision":5,"visible":false,"removedBy":"MODERATOR","excerpt":"text of c1"}`)
		if n := w.Counters()["ben.commentForcedDeletionCount"]; n != 1 {
			t.Errorf("%d removals count after one", n)
		}
		w.Whole()

		w.Advance(31 * 24 * time.Hour)
		w.RunJob(host.EndKept)
		decides(w, "mod", id, 5, "KEEP", `{"status":"DECIDED","revision":6,"visible":false,"removedBy":"MODERATOR","excerpt":""}`)
		w.Is(w.Does("ana", shown), "post.commentsCount", `0`)
	})
}

// operator 3#1-2: what words remove opens a case without a report, and comes back with KEEP.
func TestCasesOfWords(t *testing.T) {
	given := Users("mod", "ana", "ben").Post("ana", "p1").DirectChat("ana", "ben", "c1", "m1")
	TestStaffed(t, given, func(w *World) {
		w.Does("ben", `mutation { addComment(commentId: "k1", postId: "p1", text: "a `+badWord+`") { text } }`)
		w.Does("ben", `mutation { addChatMessage(chatId: "c1", messageId: "m2", text: "one `+badWord+`") { text } }`)
		w.Settle()
		w.OperatorAnswered("mod", `{ cases { items { id reportCount removedBy excerpt } } }`, `{"cases":{"items":[
			{"id":"social:COMMENT:k1","reportCount":0,"removedBy":"WORDS","excerpt":"a `+badWord+`"},
			{"id":"social:CHAT_MESSAGE:m2","reportCount":0,"removedBy":"WORDS","excerpt":"one `+badWord+`"}]}}`)
		decides(w, "mod", "social:COMMENT:k1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"a `+badWord+`"}`)
		decides(w, "mod", "social:CHAT_MESSAGE:m2", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"one `+badWord+`"}`)
		w.Is(w.Does("ana", `{ post(postId: "p1") { comments { items { commentId } } } }`), "post.comments.items", `[{"commentId":"k1"}]`)
		w.Is(w.Does("ana", `{ chat(chatId: "c1") { messages { items { messageId } } } }`), "chat.messages.items", `[{"messageId":"m1"},{"messageId":"m2"}]`)
		w.Whole()
		// Until its author edits it.
		w.Does("ben", `mutation { editChatMessage(messageId: "m2", text: "two `+badWord+`") { text } }`)
		w.Settle()
		w.Is(w.Does("ana", `{ chat(chatId: "c1") { messages { items { messageId } } } }`), "chat.messages.items", `[{"messageId":"m1"}]`)
		w.OperatorAnswered("mod", `{ case(id: "social:CHAT_MESSAGE:m2") { status revision removedBy excerpt } }`,
			`{"case":{"status":"OPEN","revision":3,"removedBy":"WORDS","excerpt":"two `+badWord+`"}}`)
	})
}

// operator 3#2-3 and 3#8: a moderator sees a reported message with the ten before it, and nothing else of a
// private chat; messages come back, chats do not.
func TestCasesOfChats(t *testing.T) {
	given := Users("mod", "ana", "ben").DirectChat("ana", "ben", "c1", "m0")
	for i := range 12 {
		given = given.Say([]string{"ana", "ben"}[i%2], "c1", fmt.Sprint("m", i+1))
	}
	TestStaffed(t, given.Say("ana", "c1", "later"), func(w *World) {
		before := w.Counters()
		w.Does("ana", `mutation { flagChatMessage(messageId: "m12", reason: "threat") { text } }`)
		w.Settle()
		shown := w.OperatorDoes("mod", `{ case(id: "social:CHAT_MESSAGE:m12") { visible removedBy excerpt context { itemId } } }`)
		w.Is(shown, "case.removedBy", `"REPORTS"`)
		w.Is(shown, "case.context", `[{"itemId":"m2"},{"itemId":"m3"},{"itemId":"m4"},{"itemId":"m5"},{"itemId":"m6"},{"itemId":"m7"},{"itemId":"m8"},{"itemId":"m9"},`+
			`{"itemId":"m10"},{"itemId":"m11"}]`)
		decides(w, "mod", "social:CHAT_MESSAGE:m12", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"text of m12"}`)
		asBefore(w, before)
		w.Does("ana", `mutation { flagChatMessage(messageId: "m12") { text } }`)
		w.Settle()
		w.Is(w.Does("ana", `{ chat(chatId: "c1") { messagesCount } }`), "chat.messagesCount", `14`)
		decides(w, "mod", "social:CHAT_MESSAGE:m12", 3, "REMOVE", `{"status":"DECIDED","revision":4,"visible":false,"removedBy":"MODERATOR","excerpt":"text of m12"}`)
		w.Whole()

		w.Does("ana", `mutation { flagChat(chatId: "c1", reason: "spam") { chatId } }`)
		w.Settle()
		shows(w, "social:CHAT:c1", `{"status":"OPEN","revision":1,"reportCount":1,"visible":false,"removedBy":"REPORTS","excerpt":"","author":{"username":"ana"},"context":[],
			"reports":{"items":[{"who":{"username":"ana"},"why":"spam"}]}}`)
		decides(w, "mod", "social:CHAT:c1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"REPORTS","excerpt":""}`)
		decides(w, "mod", "social:CHAT_MESSAGE:m12", 4, "KEEP", `{"status":"DECIDED","revision":5,"visible":false,"removedBy":"MODERATOR","excerpt":"text of m12"}`)
		w.Whole()
	})
}

// operator 3#2: a message that comes back while a member views its chat is viewed, and not counted
// as unviewed.
func TestMessagesComeBackAmidViews(t *testing.T) {
	given := Users("mod", "ana", "ben").DirectChat("ana", "ben", "c1", "m0").ViewChat("ana", "c1").Say("ben", "c1", "m1")
	TestStaffed(t, given, func(w *World) {
		w.Does("ana", `mutation { flagChatMessage(messageId: "m1") { text } }`)
		w.Settle()
		w.Advance(time.Second)
		check := w.Meanwhile(Given{}.ViewChat("ana", "c1"))
		decides(w, "mod", "social:CHAT_MESSAGE:m1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"text of m1"}`)
		check()
		shown := w.Does("ana", `{ self { chatsWithUnviewedMessagesCount } chat(chatId: "c1") { messagesCount(viewedStatus: NOT_VIEWED) messages(reverse: true, limit: 1) { items {
			messageId viewedStatus } } } }`)
		w.Is(shown, "self.chatsWithUnviewedMessagesCount", `0`)
		w.Is(shown, "chat.messagesCount", `0`)
		w.Is(shown, "chat.messages.items", `[{"messageId":"m1","viewedStatus":"VIEWED"}]`)
	})
}

// operator 3#3: a moderator deletes a reported group; no crowd deletes one that is kept.
func TestCasesOfGroups(t *testing.T) {
	var others []string
	for i := range 11 {
		others = append(others, fmt.Sprint("member", i))
	}
	given := Users(append(others, "mod", "ana")...)
	list := ""
	for _, name := range others {
		list += `"{` + name + `}",`
	}
	given = given.Does("ana", `mutation { createGroupChat(chatId: "g1", name: "club", userIds: [%s], messageId: "m1", messageText: "hello") { chatId } }`, list)
	TestStaffed(t, given, func(w *World) {
		w.Does("member0", `mutation { flagChat(chatId: "g1") { chatId } }`)
		w.Settle()
		decides(w, "mod", "social:CHAT:g1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"club"}`)
		for i := range 3 {
			w.Does(others[i], `mutation { flagChat(chatId: "g1") { chatId } }`)
		}
		w.Settle()
		w.Is(w.Does("ana", `{ chat(chatId: "g1") { chatId } }`), "chat.chatId", `"g1"`)
		decides(w, "mod", "social:CHAT:g1", 3, "REMOVE", `{"status":"DECIDED","revision":4,"visible":false,"removedBy":"MODERATOR","excerpt":""}`)
		w.Is(w.Does("ana", `{ chat(chatId: "g1") { chatId } }`), "chat", `null`)
		w.Whole()
	})
}

// operator 3#5: the cases of what its author deletes are decided by themselves, and nothing
// that was removed comes back for somebody who has gone.
func TestCasesOfContentThatIsGone(t *testing.T) {
	given := Users("mod").And(Viewed(6, "ana", "ben", "cem")...).Comment("ben", "p1", "c1").Comment("ben", "p1", "c2").Comment("cem", "p1", "c3").
		Does("cem", `mutation { createGroupChat(chatId: "g1", userIds: ["{viewer0}","{viewer1}","{viewer2}","{viewer3}","{viewer4}","{viewer5}","{ana}","{ben}","{mod}"],
			messageId: "m1", messageText: "hello") { chatId } }`)
	TestStaffed(t, given, func(w *World) {
		w.Does("viewer0", `mutation { flagComment(commentId: "c1", reason: "rude") { text } }`) // removes it
		w.Does("viewer0", `mutation { flagChatMessage(messageId: "m1", reason: "rude") { text } }`)
		w.Does("cem", `mutation { deleteChatMessage(messageId: "m1") { text } }`)
		w.Settle()
		const gone = `{"status":"DECIDED","revision":2,"reportCount":1,"visible":false,"removedBy":"AUTHOR","excerpt":"",`
		shows(w, "social:CHAT_MESSAGE:m1", gone+`"author":{"username":"cem"},"context":[],"reports":{"items":[{"who":{"username":"viewer0"},"why":"rude"}]}}`)
		w.Does("ben", `mutation { deleteUser { userId } }`)
		w.Settle()
		shows(w, "social:COMMENT:c1", gone+`"author":null,"context":[],"reports":{"items":[{"who":{"username":"viewer0"},"why":"rude"}]}}`)
		decides(w, "mod", "social:COMMENT:c1", 2, "KEEP", `{"status":"DECIDED","revision":3,"visible":false,"removedBy":"AUTHOR","excerpt":""}`)
		w.Whole()
	})
}

// operator 3#5: cases of what its author deletes are decided by themselves, also if those who
// reported it have gone before.
func TestCasesOfReportersWhoAreGone(t *testing.T) {
	given := Users("mod", "cem").And(Viewed(6, "ana", "ben")...).Post("ana", "p2").Comment("ben", "p2", "c2").
		Does("ben", `mutation { createGroupChat(chatId: "g1", userIds: ["{viewer0}","{viewer1}","{viewer2}","{viewer3}","{viewer4}","{viewer5}","{ana}","{cem}","{mod}"],
			messageId: "m1", messageText: "hello") { chatId } }`)
	TestStaffed(t, given, func(w *World) {
		w.Does("cem", `mutation { flagPost(postId: "p2") { postId } flagComment(commentId: "c2") { text } flagChatMessage(messageId: "m1") { text } }`)
		w.Does("cem", `mutation { deleteUser { userId } }`)
		w.Settle()
		w.Does("ben", `mutation { deleteChatMessage(messageId: "m1") { messageId } }`)
		w.Does("ana", `mutation { deletePost(postId: "p2") { postId } }`)
		w.Settle()
		for _, id := range []string{"POST:p2", "COMMENT:c2", "CHAT_MESSAGE:m1"} {
			w.OperatorAnswered("mod", `{ case(id: "social:`+id+`") { status revision removedBy } }`, `{"case":{"status":"DECIDED","revision":2,"removedBy":"AUTHOR"}}`)
		}
		w.Whole()
	})
}

// operator 3#6: people report a person once, unless a moderator has decided since; the checks
// are those of flags.
func TestReportedPeople(t *testing.T) {
	given := Users("mod", "ana", "ben", "cem!private", "dora").Block("dora", "ben").Details("ana", `fullName: "Ana A", bio: "hello"`)
	TestStaffed(t, given, func(w *World) {
		const report = `mutation($id: ID!, $w: String) { reportUser(userId: $id, reason: $w) { username } }`
		refused := func(as, id, want string) {
			t.Helper()
			a := w.Asks(as, report, apptest.Vars{"id": id})
			if len(a.Errors) != 1 || a.Errors[0].Message != w.People.Fill(want) {
				t.Errorf("%s reports %s: %+v, want %s", as, id, a.Errors, want)
			}
		}
		refused("ben", "nobody", "ClientError: User `nobody` does not exist")
		refused("ben", string(w.ID("ben")), "ClientError: User cant report themselves")
		refused("ben", string(w.ID("cem")), "ClientError: User does not have access to user `{cem}`")
		refused("ben", string(w.ID("dora")), "ClientError: User has been blocked by user `{dora}`")
		refused("dora", string(w.ID("ben")), "ClientError: User has blocked user `{ben}`")

		id := apptest.Vars{"id": string(w.ID("ana"))}
		w.Does("ben", report, id, apptest.Vars{"w": "fake"})
		refused("ben", string(w.ID("ana")), "ClientError: User `{ana}` has already been reported by user `{ben}`")
		w.Does("dora", report, id)
		person := "social:PERSON:" + string(w.ID("ana"))
		shows(w, person, `{"status":"OPEN","revision":1,"reportCount":2,"visible":true,"removedBy":null,"excerpt":"Ana A\nhello","author":{"username":"ana"},"context":[],
			"reports":{"items":[{"who":{"username":"ben"},"why":"fake"},{"who":{"username":"dora"},"why":null}]}}`)
		w.OperatorAnswered("mod", `{ cases(kind: PERSON) { items { reportCount } } none: cases(kind: CHAT) { items { id } } }`,
			`{"cases":{"items":[{"reportCount":2}]},"none":{"items":[]}}`)
		decides(w, "mod", person, 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"Ana A\nhello"}`)
		w.Advance(time.Second)
		w.Does("ben", report, id)
		w.OperatorAnswered("mod", `{ cases { items { reportCount revision } } }`, `{"cases":{"items":[{"reportCount":3,"revision":3}]}}`)
		w.Does("ana", `mutation { deleteUser { userId } }`)
		w.Settle()
		w.OperatorAnswered("mod", `{ cases { items { id } } }`, `{"cases":{"items":[]}}`)
		w.Whole()
	})
}

// operator 3#1: lists of one kind or system are read by their keys, whatever else is open.
func TestCasesOfAKind(t *testing.T) {
	given := Users("mod", "ana", "ben", "cem").Post("ana", "p1")
	for i := range 25 {
		given = given.Post("ana", fmt.Sprint("q", i)).Does("ben", `mutation { flagPost(postId: "q%d") { postId } }`, i)
	}
	given = given.Group("ana", "ben", "g1", "m1")
	TestStaffed(t, given, func(w *World) {
		for _, by := range []string{"ben", "cem"} {
			w.Does(by, `mutation { reportUser(userId: "{ana}") { userId } }`)
		}
		w.Settle()
		w.Advance(time.Second)
		const list = `query($after: String) { cases(system: "social", limit: 10, nextToken: $after) { items { kind itemId } nextToken } }`
		var token any
		var seen []string
		for range 3 {
			p := w.OperatorDoes("mod", list, apptest.Vars{"after": token})
			for _, item := range p.At("cases.items").([]any) {
				seen = append(seen, item.(map[string]any)["itemId"].(string))
			}
			token = p.At("cases.nextToken")
		}
		if token != nil || len(seen) != 26 || seen[0] != string(w.ID("ana")) || seen[1] != "q0" || seen[25] != "q24" {
			t.Errorf("the list is %v, and goes on at %v", seen, token)
		}
		w.Client.Reset()
		w.OperatorDoes("mod", `{ cases(kind: PERSON, limit: 10) { items { id } } }`)
		if n := w.Client.RoundTrips(); n > 5 {
			t.Errorf("a list of one kind takes %d calls: %s", n, w.Client)
		}
		w.OperatorAnswered("mod", `{ cases(order: DUE, limit: 2) { items { itemId dueAt } } }`, `{"cases":{"items":[
			{"itemId":"q0","dueAt":"2026-01-02T12:00:07.000Z"},{"itemId":"q1","dueAt":"2026-01-02T12:00:09.000Z"}]}}`)
	})
}
