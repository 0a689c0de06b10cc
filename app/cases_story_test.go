package app_test

import (
	"net/http"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	. "stoa/social/socialtest"
)

// The story of a moderated service (operator 3#1-3, 3#6, 4#2): three people report an image, the
// crowd archives it, a moderator keeps it, and the fourth report does not archive it; another is
// removed, and its author cannot restore it; the author is suspended until tomorrow, their socket
// ends, sign-in says why, and the job reinstates them.
func TestTheStoryOfTwoImages(t *testing.T) {
	given := Users("mod", "ana", "rep1", "rep2", "rep3", "rep4").Users("vis1", "vis2", "vis3", "vis4", "vis5", "vis6").Image("ana", "p1", 40, 30).Image("ana", "p2", 50, 30)
	for _, viewer := range []string{"rep1", "rep2", "rep3", "rep4", "vis1", "vis2", "vis3", "vis4", "vis5", "vis6"} {
		given = given.ViewPost(viewer, "p1").ViewPost(viewer, "p2")
	}
	for _, viewer := range []string{"wit1", "wit2", "wit3", "wit4", "wit5", "wit6", "wit7", "wit8", "wit9", "wit10", "wit11"} {
		given = given.Users(viewer).ViewPost(viewer, "p1")
	}
	TestStaffed(t, given, func(w *World) {
		status := func(post, want string) {
			t.Helper()
			w.Is(w.Does("ana", `query($p: ID!) { post(postId: $p) { postStatus } }`, apptest.Vars{"p": post}), "post.postStatus", want)
		}
		flags(w, "p1", "rep1", "rep2")
		status("p1", `"COMPLETED"`)
		flags(w, "p1", "rep3")
		status("p1", `"ARCHIVED"`)
		shown := w.OperatorDoes("mod", `{ cases { items { id revision reportCount removedBy visible media } } }`)
		w.Is(shown, "cases.items.0.reportCount", `3`)
		w.Is(shown, "cases.items.0.removedBy", `"REPORTS"`)
		if media := shown.At("cases.items.0.media").([]any); len(media) != 1 {
			t.Errorf("the pictures are %v", media)
		}
		decides(w, "mod", "social:POST:p1", 1, "KEEP", `{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"excerpt":""}`)
		status("p1", `"COMPLETED"`)
		flags(w, "p1", "rep4")
		status("p1", `"COMPLETED"`)

		flags(w, "p2", "rep1")
		decides(w, "mod", "social:POST:p2", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":""}`)
		a := w.Ask("ana", `mutation { restoreArchivedPost(postId: "p2") { postId } }`)
		if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Post `p2` was removed by a moderator" {
			t.Errorf("restoring is answered %+v", a)
		}
		status("p2", `"ARCHIVED"`)

		signIn := withPassword(w, "ana")
		w.Listen("ana", w.People.Fill(`subscription { onCardNotification(userId: "{ana}") { type } }`))
		tomorrow := w.Now().Add(24 * time.Hour).Truncate(time.Second)
		w.OperatorDoes("mod", suspend, apptest.Vars{"i": "{ana}", "r": "spam", "u": tomorrow.Format(time.RFC3339)})
		w.TakeHeard() // waits
		if n := subscriptions(w); n != 0 {
			t.Errorf("the author still has %d subscriptions", n)
		}
		want := "Account is suspended until " + tomorrow.Format("2006-01-02T15:04:05.000Z") + ": spam"
		if status, code, text := auth(w, "/auth/sign-in", signIn); status != http.StatusForbidden || code != "SUSPENDED" || text != want {
			t.Errorf("sign-in answers %d %s %q, want %q", status, code, text, want)
		}
		w.Advance(24 * time.Hour)
		w.RunJob(host.Reinstate)
		w.Is(w.Does("ana", `{ self { userStatus } }`), "self.userStatus", `"ACTIVE"`)
		if status, _, text := auth(w, "/auth/sign-in", signIn); status != http.StatusOK {
			t.Errorf("sign-in after the suspension answers %d %q", status, text)
		}
		w.Whole()
	})
}
