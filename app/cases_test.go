package app_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

const (
	queue  = `{ cases { items { id itemId status revision reportCount visible removedBy excerpt author { username } } } }`
	decide = `mutation($id: ID!, $r: Int!, $v: Verdict!, $n: String) { decideCase(id: $id, revision: $r, verdict: $v, note: $n)
		{ status revision visible removedBy reportCount decisions { who { username } verdict note } } }`
	statusP1 = `{ post(postId: "p1") { postStatus } }`
)

func flags(w *World, post string, by ...string) {
	w.T.Helper()
	for _, as := range by {
		w.Does(as, `mutation($p: ID!) { flagPost(postId: $p, reason: "bad") { postId } }`, apptest.Vars{"p": post})
	}
	w.Settle()
}

// operator 3#1-4: reports open one case, in the order of their number; a moderator keeps what
// the crowd archived, and no crowd archives it again until its author edits it; what they
// remove, its author cannot restore.
func TestCasesOfPosts(t *testing.T) {
	people := Users("mod", "ozzy").And(Viewed(10, "ana", "ben")...).Post("ana", "p2")
	TestStaffed(t, people, func(w *World) {
		w.OperatorAnswered("mod", queue, `{"cases":{"items":[]}}`)
		flags(w, "p2", "viewer1")
		flags(w, "p1", "viewer1", "viewer2", "viewer3")
		w.OperatorAnswered("mod", queue, `{"cases":{"items":[
			{"id":"social:POST:p1","itemId":"p1","status":"OPEN","revision":1,"reportCount":3,"visible":false,"removedBy":"REPORTS","excerpt":"text of p1","author":{"username":"ana"}},
			{"id":"social:POST:p2","itemId":"p2","status":"OPEN","revision":1,"reportCount":1,"visible":true,"removedBy":null,"excerpt":"text of p2","author":{"username":"ana"}}]}}`)
		w.OperatorAnswered("mod", `{ case(id: "social:POST:p1") { kind system reports(limit: 2) { items { who { username } why } } } none: case(id: "x") { id } }`,
			`{"none":null,"case":{"kind":"POST","system":"social","reports":{"items":[{"who":{"username":"viewer1"},"why":"bad"},{"who":{"username":"viewer2"},"why":"bad"}]}}}`)
		w.Is(w.Does("ana", statusP1), "post.postStatus", `"ARCHIVED"`)

		p1 := apptest.Vars{"id": "social:POST:p1"}
		kept := apptest.Vars{"r": 1, "v": "KEEP", "n": "fine"}
		w.OperatorAnswered("mod", decide, `{"decideCase":{"status":"DECIDED","revision":2,"visible":true,"removedBy":null,"reportCount":3,
			"decisions":[{"who":{"username":"mod"},"verdict":"KEEP","note":"fine"}]}}`, p1, kept)
		w.Settle()
		stale := w.OperatorAsks("ozzy", decide, p1, kept)
		if got := stale.Refusal(); got != "CONFLICT" || !strings.Contains(string(stale.Errors[0].Extensions.Case), `"revision":2`) {
			t.Errorf("a stale decision is answered %+v", stale)
		}
		w.Is(w.Does("ana", statusP1), "post.postStatus", `"COMPLETED"`)
		w.Is(w.Does("viewer5", statusP1), "post.postStatus", `"COMPLETED"`)
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 0 {
			t.Errorf("%d removals count after one was taken back", n)
		}
		w.OperatorAnswered("mod", `{ case(id: "social:POST:p1") { reports(limit: 2) { items { who { username } } } } }`,
			`{"case":{"reports":{"items":[{"who":{"username":"viewer1"}},{"who":{"username":"viewer2"}}]}}}`)

		flags(w, "p1", "viewer1", "viewer2", "viewer4") // again, and no crowd
		w.Is(w.Does("ana", statusP1), "post.postStatus", `"COMPLETED"`)
		w.OperatorAnswered("mod", `{ case(id: "social:POST:p1") { status revision reportCount } }`, `{"case":{"status":"OPEN","revision":3,"reportCount":6}}`)
		w.Does("ana", `mutation { editPost(postId: "p1", text: "worse") { postId } }`)
		flags(w, "p1", "viewer5")
		w.Is(w.Does("ana", statusP1), "post.postStatus", `"ARCHIVED"`)

		w.OperatorAnswered("ozzy", decide, `{"decideCase":{"status":"DECIDED","revision":4,"visible":false,"removedBy":"MODERATOR","reportCount":7,
			"decisions":[{"who":{"username":"mod"},"verdict":"KEEP","note":"fine"},{"who":{"username":"ozzy"},"verdict":"REMOVE","note":null}]}}`,
			p1, apptest.Vars{"r": 3, "v": "REMOVE"})
		a := w.Ask("ana", `mutation { restoreArchivedPost(postId: "p1") { postId } }`)
		if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Post `p1` was removed by a moderator" {
			t.Errorf("restoring is answered %+v", a)
		}
		if n := w.Counters()["ana.postForcedArchivingCount"]; n != 1 {
			t.Errorf("%d removals count after one", n)
		}
		w.OperatorAnswered("mod", `{ cases(status: DECIDED, author: "{ana}") { items { itemId } } }`, `{"cases":{"items":[{"itemId":"p1"}]}}`)
		w.OperatorAnswered("mod", `{ cases(status: DECIDED, system: "pantry") { items { itemId } } }`, `{"cases":{"items":[]}}`)
		lines := w.OperatorDoes("ozzy", `{ audit(subject: "social:POST:p1") { items { action } } }`).At("audit.items").([]any)
		if len(lines) != 2 {
			t.Errorf("lines %v", lines)
		}
		w.Whole()
	})
}

// operator 3#1 and 7#3: the cases of one author are in the order of the others.
func TestCasesOfAnAuthorAreInOrder(t *testing.T) {
	given := Users("mod", "ana", "ben", "cem", "dan").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3").Post("ben", "p4")
	TestStaffed(t, given, func(w *World) {
		flags(w, "p1", "cem")
		flags(w, "p4", "ana", "cem", "dan")
		flags(w, "p2", "cem", "ben")
		flags(w, "p3", "dan")
		for order, want := range map[string]string{"REPORTS": "p2 p1 p3", "DUE": "p1 p2 p3"} {
			for _, limit := range []int{1, 2, 20} {
				if got := cases(w, order, limit); got != want {
					t.Errorf("ordered by %s, %d at a time, the cases are about %s, want %s", order, limit, got, want)
				}
			}
		}
		w.OperatorAnswered("mod", `{ cases(author: "{ana}", kind: COMMENT) { items { itemId } } }`, `{"cases":{"items":[]}}`)
	})
}

// cases returns the items of ana's open cases, page by page.
func cases(w *World, order string, limit int) string {
	w.T.Helper()
	var all []string
	var token any
	for {
		found := w.OperatorDoes("mod", `query($o: CaseOrder, $n: Int, $t: String) { cases(author: "{ana}", order: $o, limit: $n, nextToken: $t) { items { itemId } nextToken } }`,
			apptest.Vars{"o": order, "n": limit, "t": token})
		for _, c := range found.At("cases.items").([]any) {
			all = append(all, c.(map[string]any)["itemId"].(string))
		}
		if token = found.At("cases.nextToken"); token == nil {
			return strings.Join(all, " ")
		}
	}
}

// operator 3#2-3: the removal of a post that its author has archived counts, so that taking it back takes back no
// other.
func TestRemovalsOfArchivedPosts(t *testing.T) {
	TestStaffed(t, Users("mod").And(Viewed(10, "ana", "ben")...).Post("ana", "p2"), func(w *World) {
		removals := func(want int) {
			t.Helper()
			w.Settle()
			if n := w.Counters()["ana.postForcedArchivingCount"]; n != want {
				t.Errorf("%d removals count, want %d", n, want)
			}
			w.Whole()
		}
		p2 := apptest.Vars{"id": "social:POST:p2"}
		flags(w, "p1", "viewer1", "viewer2", "viewer3")
		flags(w, "p2", "ben")
		w.Does("ana", `mutation { archivePost(postId: "p2") { postId } }`)
		removals(1)
		w.OperatorDoes("mod", decide, p2, apptest.Vars{"r": 1, "v": "REMOVE"})
		removals(2)
		w.OperatorDoes("mod", decide, p2, apptest.Vars{"r": 2, "v": "REMOVE"})
		removals(2)
		w.OperatorDoes("mod", decide, p2, apptest.Vars{"r": 3, "v": "KEEP"})
		removals(1)
	})
}

// operator 3#5: the case of a post that its author deletes is decided by itself, and keeps its
// reports, except those of people who are gone as well.
func TestCasesOfDeletedPosts(t *testing.T) {
	TestStaffed(t, Users("mod", "ana", "ben", "cem").Post("ana", "p1"), func(w *World) {
		flags(w, "p1", "ben", "cem")
		w.Does("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		w.Settle()
		const ended = `{ case(id: "social:POST:p1") { status excerpt media visible removedBy author { username } reports { items { who { username } why } } } }`
		w.OperatorAnswered("mod", ended, `{"case":{"status":"DECIDED","excerpt":"","media":[],"visible":false,"removedBy":"AUTHOR","author":{"username":"ana"},
			"reports":{"items":[{"who":{"username":"ben"},"why":"bad"},{"who":{"username":"cem"},"why":"bad"}]}}}`)
		w.Does("ben", `mutation { deleteUser { userId } }`)
		w.Does("ana", `mutation { deleteUser { userId } }`)
		w.Settle()
		w.OperatorAnswered("mod", ended, `{"case":{"status":"DECIDED","excerpt":"","media":[],"visible":false,"removedBy":"AUTHOR","author":null,
			"reports":{"items":[{"who":{"username":"cem"},"why":"bad"}]}}}`)
		w.OperatorAnswered("mod", decide, `{"decideCase":{"status":"DECIDED","revision":3,"visible":false,"removedBy":"AUTHOR","reportCount":2,
			"decisions":[{"who":{"username":"mod"},"verdict":"KEEP","note":null}]}}`, apptest.Vars{"id": "social:POST:p1", "r": 2, "v": "KEEP"})
		w.OperatorRefused("NOT_FOUND", "mod", decide, apptest.Vars{"id": "social:POST:p2", "r": 1, "v": "KEEP"})
		w.Whole()
	})
}

// operator 3#1,6: of reports at the same time, each is counted and one opens the case; what is
// written with a report is bounded.
func TestReportsAtOnce(t *testing.T) {
	TestStaffed(t, Users("mod").And(Viewed(5, "ana", "ben")...), func(w *World) {
		w.AtOnce(5, func(i int) apptest.Answer {
			return w.Ask(fmt.Sprint("viewer", i), `mutation { flagPost(postId: "p1") { postId } }`)
		})
		w.Settle()
		w.OperatorAnswered("mod", `{ cases { items { revision reportCount } } }`, `{"cases":{"items":[{"revision":1,"reportCount":5}]}}`)
		long := `mutation($w: String) { flagPost(postId: "p1", reason: $w) { postId } }`
		a := w.Asks("mod", long, apptest.Vars{"w": strings.Repeat("é", 501)})
		if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: Reason cannot be longer than 500 characters" {
			t.Errorf("a long reason is answered %+v", a)
		}
		w.Whole()
	})
}

// operator 3#1 and 1#2: those who decide hear of a case that is opened, and of nothing else.
func TestCasesThatOpenAreTold(t *testing.T) {
	TestStaffed(t, Users("mod", "ana", "ben", "cem").Post("ana", "p1"), func(w *World) {
		opened, err := w.Host.Desk.Service.CaseOpened(w.OperatorContext("mod"))
		if err != nil {
			t.Fatal(err)
		}
		heard := make(chan string, 10)
		go func() {
			for c := range opened {
				heard <- c.ID()
			}
		}()
		flags(w, "p1", "ben", "cem")
		if got := <-heard; got != "social:POST:p1" || len(heard) != 0 {
			t.Errorf("heard %s and %d more", got, len(heard))
		}
		if _, err := w.Host.Desk.Service.CaseOpened(w.OperatorContext("ana")); err == nil {
			t.Error("anybody may listen")
		}
	})
}

// operator 3#1: a page of fifty cases with authors, excerpts and pictures takes at most six
// calls of the store.
func TestAPageOfCasesIsReadTogether(t *testing.T) {
	given := Users("mod", "ben")
	for i := range 10 {
		given = given.And(Users(fmt.Sprint("author", i))...)
		for j := range 5 {
			given = given.Post(fmt.Sprint("author", i), fmt.Sprint("p", i, "-", j)).Does("ben", `mutation { flagPost(postId: "p%d-%d") { postId } }`, i, j)
		}
	}
	TestStaffed(t, given, func(w *World) {
		const page = `{ cases(limit: 50) { items { id excerpt media visible removedBy author { username fullName } decisions { verdict } } nextToken } }`
		w.Client.Reset()
		if n := len(w.OperatorDoes("mod", page).At("cases.items").([]any)); n != 50 {
			t.Errorf("%d cases", n)
		}
		if n := w.Client.RoundTrips(); n > 6 {
			t.Errorf("a page takes %d calls: %s", n, w.Client)
		}
	})
}
