package app_test

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/desk"
	"stoa/internal/operator"
	"stoa/systems/messaging"
)

// operator 4#2-4: somebody with an account of this system is found, suspended, signed out and
// erased like everybody else.
func TestPersonsOfTheService(t *testing.T) {
	test(t, func(w *world) {
		w.joins("ana", "ben")
		d, ctx, id := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root"), w.of("ana")
		p, err := d.Person(ctx, id)
		if err != nil || p == nil || *p.Username() != login("ana") {
			t.Fatalf("the person is %v, %v", p, err)
		}
		if _, err := d.SuspendPerson(ctx, id, operator.Suspending{Reason: "spam"}); err != nil {
			t.Fatal(err)
		}
		const signIn = `mutation($l: String!, $p: String!) { login(login: $l, password: $p) { token user { id } } }`
		if got := w.Asks("ana", `{ me { id } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a suspended user is refused with %q", got)
		}
		credentials := vars{"l": login("ana"), "p": password}
		if a := w.Asks("", signIn, credentials); a.Refusal() != "SUSPENDED" || !strings.HasSuffix(a.Errors[0].Message, "Account is suspended: spam") {
			t.Errorf("sign-in is answered %v", a.Errors)
		}
		w.Does("ben", `{ me { id } }`)
		if _, err := d.ReinstatePerson(ctx, id, ""); err != nil {
			t.Fatal(err)
		}
		w.Does("ana", `{ me { id } }`)
		if _, err := d.SignOutPerson(ctx, id); err != nil {
			t.Fatal(err)
		}
		if got := w.Asks("ana", `{ me { id } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a user who was signed out is refused with %q", got)
		}
		// If that is delivered once more, later sessions go on.
		w.knows("ana", w.Does("", signIn, credentials), "login")
		w.Deliver(desk.SignedOut{UserID: id, Least: map[string]int{"messaging": 1}})
		w.Does("ana", `{ me { id } }`)
		// Events of earlier versions of the program end all sessions.
		w.Deliver(desk.SignedOut{UserID: id})
		if got := w.Asks("ana", `{ me { id } }`).Refusal(); got != "HTTP 401" && got != "UNAUTHENTICATED" {
			t.Errorf("a user who was signed out again is refused with %q", got)
		}
		if _, err := d.ErasePerson(ctx, id, "asked"); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.Refused("UNAUTHENTICATED", "", signIn, credentials)
		if p, err := d.Person(ctx, id); p != nil || err != nil {
			t.Errorf("an erased person is %v, %v", p, err)
		}
	})
}

// operator 4#5: once an hour is for a person, under whichever id.
func TestLinkedPersonsAreExportedOnceAnHour(t *testing.T) {
	test(t, func(w *world) {
		w.joins("ana")
		service := w.People.Identity("ana of the service", apptest.Account{Email: "ana@x.org"})
		w.Does("ana", verifyTags, vars{"t": "ana of the service"})
		d, ctx := w.Host.Desk.Service, operator.AsCommand(t.Context(), "root")
		for i, first := range []messaging.UserID{w.of("ana"), service} {
			w.Advance(time.Hour)
			if err := d.OwnExport(ctx, first); err != nil {
				t.Errorf("export %d is refused: %v", i, err)
			}
			w.Advance(20 * time.Minute)
			for _, again := range []messaging.UserID{w.of("ana"), service} {
				err := d.ExportFor(ctx, again, "asked")
				if err == nil || !strings.HasSuffix(err.Error(), "try again in 40m0s") {
					t.Errorf("another export of %s after that of %s: %v", again, first, err)
				}
			}
			w.Advance(40 * time.Minute)
		}
	})
}
