package app_test

import (
	"fmt"
	"testing"

	"stoa/app"
	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// weighing is Staffed with reports that are weighed, or not.
func weighing(t *testing.T, weigh bool, given Given, f func(w *World)) {
	t.Helper()
	system := With(func(o *app.Options) { o.FollowedByAll, o.WeighReports = Hub, weigh })
	apptest.Test(t, system, func(w *World) {
		w.Do(given...)
		f(w)
	}, StaffOptions()...)
}

// reporters returns the users of whom it is stored how their reports were decided.
func reporters(w *World) (all []string) {
	for _, row := range w.Rows()["desk"] {
		if key, _ := row["partitionKey"].(string); len(key) > 9 && key[:9] == "reporter/" {
			all = append(all, w.People.Name(key[9:]))
		}
	}
	return all
}

// operator 7#6: with weigh-reports, two reports remove nothing if moderators have decided against one of
// their authors, and three do; without, two do, and nothing is noted about those who report.
func TestWeighedReports(t *testing.T) {
	given := Users("mod", "ana", "cry", "ben", "dan")
	for i := range 5 {
		given = given.Post("ana", fmt.Sprint("old", i))
	}
	given = given.Post("ana", "p1").Post("ana", "p2").Comment("ana", "p2", "c1")
	for _, viewer := range []string{"cry", "ben", "dan"} {
		given = given.ViewPost(viewer, "p1").ViewPost(viewer, "p2")
	}
	var ids string
	for i := range 9 {
		name := fmt.Sprint("vis", i)
		given = given.Users(name).ViewPost(name, "p1").ViewPost(name, "p2")
		ids += fmt.Sprintf(`"{%s}" `, name)
	}
	given = given.And(apptest.Does("ana", `mutation {
		createGroupChat(chatId: "chat", messageId: "m1", messageText: "first", userIds: ["{cry}" "{ben}" "{dan}" `+ids+`]) { chatId } }`)).
		Does("ana", `mutation { addChatMessage(chatId: "chat", messageId: "m2", text: "second") { messageId } }`)
	flagged := []struct{ flag, look, path, there, gone string }{
		{`flagPost(postId: "p1") { postId }`, `{ post(postId: "p1") { postStatus } }`, "post.postStatus", `"COMPLETED"`, `"ARCHIVED"`},
		{`flagComment(commentId: "c1") { commentId }`, `{ post(postId: "p2") { commentsCount } }`, "post.commentsCount", `1`, `0`},
		{`flagChatMessage(messageId: "m2") { messageId }`, `{ chat(chatId: "chat") { messagesCount } }`, "chat.messagesCount", `4`, `3`},
		{`flagChat(chatId: "chat") { chatId }`, `{ chat(chatId: "chat") { chatId } }`, "chat", `{"chatId":"chat"}`, `null`},
	}
	for _, weigh := range []bool{true, false} {
		weighing(t, weigh, given, func(w *World) {
			for i := range 5 {
				id := fmt.Sprint("old", i)
				flags(w, id, "cry")
				decides(w, "mod", "social:POST:"+id, 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":"text of `+id+`"}`)
			}
			for _, f := range flagged {
				for i, as := range []string{"cry", "ben", "dan"} {
					want := f.there
					if i == 2 || i == 1 && !weigh {
						want = f.gone
					}
					if i == 2 && !weigh {
						break
					}
					w.Does(as, `mutation { `+f.flag+` }`)
					w.Settle()
					w.Asked("ana", f.look, nil, f.path, want)
				}
			}
			got := fmt.Sprint(reporters(w))
			if want := map[bool]string{true: "[{cry}]", false: "[]"}[weigh]; got != want {
				t.Errorf("weigh %t: it is noted how reports of %s were decided, want %s", weigh, got, want)
			}
			w.Whole()
			w.Does("cry", `mutation { deleteUser { userId } }`)
			w.Settle()
			if got := reporters(w); len(got) > 0 {
				t.Errorf("weigh %t: of somebody who is gone it is noted how their reports were decided", weigh)
			}
		})
	}
}
