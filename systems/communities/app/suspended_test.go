package app_test

import (
	"strings"
	"testing"

	"stoa/internal/desk"
	"stoa/internal/operator"
	"stoa/systems/communities"
)

// operator 4#2-4: somebody with an account of this system is found, suspended, signed out and
// erased like everybody else.
func TestPersonsOfTheService(t *testing.T) {
	test(t, func(w *world) {
		w.registers("ana", "ben")
		d, ctx, id := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root"), communities.UserID(w.ids["ana"])
		p, err := d.Person(ctx, id)
		if err != nil || p == nil || *p.Username() != "ana" {
			t.Fatalf("the person is %v, %v", p, err)
		}
		if _, err := d.SuspendPerson(ctx, id, operator.Suspending{Reason: "spam"}); err != nil {
			t.Fatal(err)
		}
		if got := w.Asks("ana", `{ me { username } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a suspended user is refused with %q", got)
		}
		if a := w.Asks("", login, vars{"l": "ana", "p": password}); a.Refusal() != "SUSPENDED" || !strings.HasSuffix(a.Errors[0].Message, "Account is suspended: spam") {
			t.Errorf("sign-in is answered %v", a.Errors)
		}
		w.Does("ben", `{ me { username } }`)
		if _, err := d.ReinstatePerson(ctx, id, ""); err != nil {
			t.Fatal(err)
		}
		w.Does("ana", `{ me { username } }`)
		if _, err := d.SignOutPerson(ctx, id); err != nil {
			t.Fatal(err)
		}
		if got := w.Asks("ana", `{ me { username } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a user who was signed out is refused with %q", got)
		}
		// If that is delivered once more, later sessions go on.
		w.logsIn("ana")
		w.Deliver(desk.SignedOut{UserID: id, Least: map[string]int{"communities": 1}})
		w.Does("ana", `{ me { username } }`)
		// Events of earlier versions of the program end all sessions.
		w.Deliver(desk.SignedOut{UserID: id})
		if got := w.Asks("ana", `{ me { username } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a user who was signed out again is refused with %q", got)
		}
		if _, err := d.ErasePerson(ctx, id, "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		for table, rows := range w.Rows() {
			for _, row := range rows {
				for _, v := range row {
					if text, ok := v.(string); ok && strings.Contains(text, string(id)) {
						t.Errorf("%s has the id: %v", table, row)
					}
				}
			}
		}
	})
}
