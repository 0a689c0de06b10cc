package app_test

import (
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// operator 7#2: somebody who is suspended can appeal, and call nothing else; nobody appeals
// without having been somebody.
func TestSuspendedPeopleAppeal(t *testing.T) {
	TestStaffed(t, Users("mod", "ana", "ben").Image("ana", "p1", 40, 30), func(w *World) {
		flags(w, "p1", "ben")
		decides(w, "mod", "social:POST:p1", 1, "REMOVE", `{"status":"DECIDED","revision":2,"visible":false,"removedBy":"MODERATOR","excerpt":""}`)
		w.OperatorDoes("mod", suspend, apptest.Vars{"i": "{ana}", "r": "spam"})
		const appeal = `mutation { appealDecision(caseId: "social:POST:p1", text: "it is mine") { status text } }`
		for _, as := range []string{"", "ben"} {
			if a := w.Ask(as, appeal); len(a.Errors) != 1 {
				t.Errorf("an appeal of %q is answered %+v", as, a)
			}
		}
		w.Is(w.Does("ana", appeal), "appealDecision.status", `"OPEN"`)
		if a := w.Ask("ana", `{ self { userId } }`); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "HTTP 401" {
			t.Errorf("another field is answered %+v", a)
		}
	})
}
