package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
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
		// Without a token that is valid, a sign-in leads to one.
		signIn := withPassword(w, "ana")
		if answer := signInAgain(w, signIn); answer.Error.Code != "SUSPENDED" || answer.Error.AppealToken == "" {
			t.Errorf("sign-in is answered %+v", answer)
		}
		if a := w.Ask("ana", `{ self { userId } }`); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "HTTP 401" {
			t.Errorf("another field is answered %+v", a)
		}
	})
}

// refusedSignIn is the answer to the sign-in of somebody who is kept out.
type refusedSignIn struct {
	Error struct{ Code, AppealToken string }
}

func signInAgain(w *World, body map[string]string) (answer refusedSignIn) {
	w.T.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		w.T.Fatal(err)
	}
	r := httptest.NewRequestWithContext(w.T.Context(), http.MethodPost, "/auth/sign-in", bytes.NewReader(sent))
	r.Header.Set("Content-Type", "application/json")
	recorded := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorded, r)
	if err := json.Unmarshal(recorded.Body.Bytes(), &answer); err != nil {
		w.T.Fatalf("sign-in is answered %s", recorded.Body)
	}
	return answer
}
