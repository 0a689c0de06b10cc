package app_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/faultdb"
	. "stoa/social/socialtest"
)

const (
	suspend = `mutation($i: ID!, $r: String!, $u: DateTime, $b: Boolean) { suspendPerson(id: $i, reason: $r, until: $u, banContacts: $b)
		{ id status suspension { reason until since by { username } } } }`
	reinstate = `mutation($i: ID!) { reinstatePerson(id: $i) { id status suspension { reason } } }`
	signOut   = `mutation($i: ID!) { signOutPerson(id: $i) { id } }`
)

// auth sends a request to the API of identity.
func auth(w *World, path string, body map[string]string) (status int, code, message string) {
	w.T.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		w.T.Fatal(err)
	}
	r := httptest.NewRequestWithContext(w.T.Context(), http.MethodPost, path, bytes.NewReader(sent))
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	w.Handler.ServeHTTP(answer, r)
	var failed struct {
		Error        struct{ Code, Message string }
		RefreshToken string
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &failed); err != nil {
		w.T.Fatalf("%s answers %s", path, answer.Body)
	}
	if failed.RefreshToken != "" {
		return answer.Code, "", failed.RefreshToken
	}
	return answer.Code, failed.Error.Code, failed.Error.Message
}

// withPassword gives the account of a person a password.
func withPassword(w *World, name string) map[string]string {
	w.T.Helper()
	hash, err := identity.NewPasswords(identity.Cost{MemoryKiB: 8, Passes: 1}, rand.Reader).Hash(w.T.Context(), "a long enough one")
	if err != nil {
		w.T.Fatal(err)
	}
	before, _, err := w.Host.Ops.Identities.Identity(w.T.Context(), w.ID(name))
	if err != nil {
		w.T.Fatal(err)
	}
	after := before
	after.PasswordHash = hash
	after.Revision++
	if err := w.Host.Ops.Identities.SaveIdentity(w.T.Context(), before, after); err != nil {
		w.T.Fatal(err)
	}
	return map[string]string{"userId": string(w.ID(name)), "password": "a long enough one"}
}

// subscriptions returns the number of open ones.
func subscriptions(w *World) int {
	_, n := w.Handler.(interface {
		Load() (sockets, subscriptions int)
	}).Load()
	return n
}

// operator 4#2, issue Shows 1: an author is suspended until tomorrow: their socket ends, no token of theirs is
// accepted, sign-in says why, and a job reinstates them within a minute after that.
func TestSuspension(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "mod", "ozzy"), func(w *World) {
		signIn := withPassword(w, "ana")
		_, _, refresh := auth(w, "/auth/sign-in", signIn)
		w.Listen("ana", w.People.Fill(`subscription { onCardNotification(userId: "{ana}") { type } }`))
		if n := subscriptions(w); n != 1 {
			t.Fatalf("%d subscriptions", n)
		}
		tomorrow := w.Now().Add(24 * time.Hour).Truncate(time.Second)
		args := apptest.Vars{"i": "{ana}", "r": "spam", "u": tomorrow.Format(time.RFC3339)}
		until := tomorrow.Format("2006-01-02T15:04:05.000Z")
		p := w.OperatorDoes("mod", suspend, args)
		w.Is(p, "suspendPerson.suspension.until", `"`+until+`"`)
		w.Is(p, "suspendPerson.suspension.reason", `"spam"`)
		w.Is(p, "suspendPerson.status", `"DISABLED"`)
		w.Is(p, "suspendPerson.suspension.by.username", `"mod"`)

		w.TakeHeard() // waits
		if n := subscriptions(w); n != 0 {
			t.Errorf("a suspended user still has %d subscriptions", n)
		}
		for _, query := range []string{`{ self { userId } }`, `mutation { disableUser { userId } }`} {
			if got := w.Asks("ana", query).Refusal(); got != "HTTP 401" {
				t.Errorf("a suspended user asks %s: refused with %q", query, got)
			}
		}
		want := "Account is suspended until " + until + ": spam"
		for path, body := range map[string]map[string]string{"/auth/sign-in": signIn, "/auth/refresh": {"refreshToken": refresh}} {
			if status, code, text := auth(w, path, body); status != http.StatusForbidden || code != "SUSPENDED" || text != want {
				t.Errorf("%s answers %d %s %q, want %q", path, status, code, text, want)
			}
		}
		w.Is(w.Does("ben", `{ user(userId: "{ana}") { userStatus } }`), "user.userStatus", `"DISABLED"`)

		w.RunJob(host.Reinstate)
		if got := w.Asks("ana", `{ self { userId } }`).Refusal(); got == "" {
			t.Error("the job reinstates before the time has come")
		}
		w.Advance(24 * time.Hour)
		w.RunJob(host.Reinstate)
		w.Is(w.Does("ana", `{ self { userStatus } }`), "self.userStatus", `"ACTIVE"`)
		if status, code, text := auth(w, "/auth/sign-in", signIn); status != http.StatusOK {
			t.Errorf("sign-in after the suspension answers %d %s %q", status, code, text)
		}
		w.OperatorAnswered("ozzy", `{ person(id: "{ana}") { status suspension { reason } } audit(subject: "{ana}") { items { actor role action note before } } }`,
			`{"person":{"status":"ACTIVE","suspension":null},"audit":{"items":[
			{"actor":"{mod}","role":"MODERATOR","action":"reinstatePerson","note":"until has passed","before":"{\"banContacts\":false,\"status\":\"SUSPENDED\",\"until\":\"`+until+`\"}"},
			{"actor":"{mod}","role":"MODERATOR","action":"suspendPerson","note":"spam","before":null}]}}`)
	})
}

// operator 4#2: another process refuses the tokens once it has looked again.
func TestSuspensionInOtherProcesses(t *testing.T) {
	TestStaffed(t, Users("ana", "ozzy"), func(w *World) {
		w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{ana}", "r": "spam"})
		other := w.Beside("other")
		if got := other.Asks("ana", `{ self { userId } }`).Refusal(); got != "HTTP 401" {
			t.Errorf("another process answers with %q", got)
		}
		status, code, text := auth(other, "/auth/sign-in", withPassword(w, "ana"))
		if status != http.StatusForbidden || code != "SUSPENDED" || text != "Account is suspended: spam" {
			t.Errorf("sign-in answers %d %s %q", status, code, text)
		}
	})
}

// operator 4#2: a ban of contacts goes with its suspension; whoever was disabled otherwise is
// reinstated by hand too, once.
func TestReinstatement(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "ozzy"), func(w *World) {
		ana := apptest.Vars{"i": "{ana}"}
		w.OperatorDoes("ozzy", suspend, ana, apptest.Vars{"r": "spam", "b": true})
		if ban := w.Get("main", "user/{ana}", "banned"); ban["forcedBy"] != "suspended" {
			t.Errorf("the ban is %v", ban)
		}
		w.OperatorDoes("ozzy", reinstate, ana)
		if ban := w.Get("main", "user/{ana}", "banned"); ban != nil {
			t.Errorf("there still is the ban %v", ban)
		}
		w.Does("ana", `mutation { disableUser { userStatus } }`)
		w.OperatorAnswered("ozzy", reinstate, `{"reinstatePerson":{"id":"{ana}","status":"ACTIVE","suspension":null}}`, ana)
		w.OperatorDoes("ozzy", reinstate, ana) // no change
		if lines := w.OperatorDoes("ozzy", `{ audit(subject: "{ana}") { items { action } } }`).List("audit.items", "action"); lines !=
			"reinstatePerson reinstatePerson suspendPerson" {
			t.Errorf("lines %s", lines)
		}
	})
}

// operator 4#2: the ban is that of the suspension: one that replaces it without a ban ends it, and the end of
// a suspension leaves what had been done before.
func TestBansOfSuspensions(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "mod", "ozzy").Block("mod", "ben"), func(w *World) {
		suspends := func(who string, ban bool, until time.Duration) {
			t.Helper()
			w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{" + who + "}", "r": "spam", "b": ban, "u": w.Now().Add(until).Format(time.RFC3339)})
		}
		banned := func(who, want string) {
			t.Helper()
			if got, _ := w.Get("main", "user/{"+who+"}", "banned")["forcedBy"].(string); got != want {
				t.Errorf("the ban of %s is for %q, want %q", who, got, want)
			}
		}
		suspends("ana", true, time.Hour)
		banned("ana", "suspended")
		suspends("ana", false, time.Hour)
		banned("ana", "")
		suspends("ana", true, time.Hour)
		banned("ana", "suspended")
		banned("ben", "blocked by REAL user")
		suspends("ben", true, time.Hour)
		suspends("ben", false, time.Hour)
		w.Advance(2 * time.Hour)
		w.RunJob(host.Reinstate)
		banned("ana", "")
		banned("ben", "blocked by REAL user")
		w.OperatorAnswered("ozzy", reinstate, `{"reinstatePerson":{"id":"{ben}","status":"ACTIVE","suspension":null}}`, apptest.Vars{"i": "{ben}"})
		banned("ben", "")
	})
}

// operator 4#2, issue Bad input: who is not suspended, and how not.
func TestSuspensionIsRefused(t *testing.T) {
	TestStaffed(t, Users("ana", "mod", "ozzy"), func(w *World) {
		past := w.Now().Add(-time.Hour).Format(time.RFC3339)
		for _, c := range []struct {
			as   string
			args apptest.Vars
			want string
		}{
			{"mod", apptest.Vars{"i": "{mod}", "r": "x"}, "FORBIDDEN"},
			{"ozzy", apptest.Vars{"i": "{ozzy}", "r": "x"}, "FORBIDDEN"},
			{"mod", apptest.Vars{"i": "{ozzy}", "r": "x"}, "FORBIDDEN"},
			{"mod", apptest.Vars{"i": "us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", "r": "x"}, "NOT_FOUND"},
			{"mod", apptest.Vars{"i": "a/b", "r": "x"}, "NOT_FOUND"},
			{"mod", apptest.Vars{"i": "{ana}", "r": " "}, "BAD_INPUT"},
			{"mod", apptest.Vars{"i": "{ana}", "r": "x", "u": past}, "BAD_INPUT"},
			{"mod", apptest.Vars{"i": "{ana}", "r": "x", "u": "tomorrow"}, "BAD_INPUT"},
		} {
			a := w.OperatorAsks(c.as, suspend, c.args)
			if got, _, _ := strings.Cut(a.Refusal(), " "); got != c.want {
				t.Errorf("%s suspends %v: refused with %q, want %q", c.as, c.args, got, c.want)
			}
			if c.args["u"] != nil && a.Errors[0].Extensions.Field != "until" {
				t.Errorf("%v: the field is %q", c.args, a.Errors[0].Extensions.Field)
			}
		}
		for _, m := range []string{reinstate, signOut, `mutation($i: ID!) { noteOnPerson(id: $i, note: "x") { id } }`} {
			w.OperatorRefused("NOT_FOUND", "mod", m, apptest.Vars{"i": "nobody"})
		}
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items", `[]`)
	})
}

// operator 4#3: all sessions of a person end at once.
func TestSignOut(t *testing.T) {
	TestStaffed(t, Users("ana", "ozzy"), func(w *World) {
		signIn := withPassword(w, "ana")
		_, _, refresh := auth(w, "/auth/sign-in", signIn)
		w.Is(w.OperatorDoes("ozzy", `{ person(id: "{ana}") { sessions { client } } }`), "person.sessions", `[{"client":null}]`)
		w.OperatorDoes("ozzy", signOut, apptest.Vars{"i": "{ana}"})
		w.Is(w.OperatorDoes("ozzy", `{ person(id: "{ana}") { sessions { client } } }`), "person.sessions", `[]`)
		if status, code, _ := auth(w, "/auth/refresh", map[string]string{"refreshToken": refresh}); status != http.StatusUnauthorized {
			t.Errorf("a refresh token is answered %d %s", status, code)
		}
		if status, _, _ := auth(w, "/auth/sign-in", signIn); status != http.StatusOK {
			t.Errorf("signing in again is answered %d", status)
		}
	})
}

// operator 4#1: people are found by id, contact, and name; moderators see masked contacts, and
// each look at a whole one leaves a line.
func TestPeopleAreFound(t *testing.T) {
	TestStaffed(t, Users("ana", "anatol", "ben", "mod", "ozzy"), func(w *World) {
		w.Does("ben", `mutation { setUserDetails(fullName: "Benjamin Cray") { userId } }`)
		for find, want := range map[string][]string{
			"{ana}": {"ana"}, "ana@example.com": {"ana"}, "ANA@example.com": {"ana"}, "ana": {"ana", "anatol"}, "anat": {"anatol"}, "cray benjamin": {"ben"}, "zzz": nil,
			"+12025550123": nil, "nobody@example.com": nil,
		} {
			var got []string
			for _, p := range w.OperatorDoes("mod", `query($f: String!) { people(find: $f) { items { username } } }`, apptest.Vars{"f": find}).Items("people.items") {
				got = append(got, p.Text("username"))
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", find, got, want)
			}
		}
		w.OperatorRefused("BAD_INPUT", "mod", `{ people(find: " ") { nextToken } }`)
		if lines := w.OperatorDoes("ozzy", audited).List("audit.items", "action"); lines != "findContact findContact" {
			t.Errorf("lines %s", lines)
		}
		const look = `{ person(id: "{ana}") { email emailVerified phone phoneVerified counts { content removals reportsBy reportsAgainst } devices { id } notes { text } } }`
		w.OperatorAnswered("mod", look, `{"person":{"email":"a…@example.com","emailVerified":true,"phone":null,"phoneVerified":false,
			"counts":{"content":0,"removals":0,"reportsBy":0,"reportsAgainst":0},"devices":[],"notes":[]}}`)
		if n := len(w.OperatorDoes("ozzy", audited).Items("audit.items")); n != 2 {
			t.Errorf("%d lines after a look at a masked contact", n)
		}
		w.Is(w.OperatorDoes("ozzy", look), "person.email", `"ana@example.com"`)
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items.0.action", `"readContacts"`)
		if n := len(w.OperatorDoes("ozzy", audited).Items("audit.items")); n != 3 {
			t.Errorf("%d lines after a look at a contact", n)
		}
		w.Is(w.OperatorDoes("ozzy", `{ person(id: "nobody") { id } }`), "person", `null`)
	})
}

// operator 7#4: the team shares notes about people, the newest first.
func TestNotes(t *testing.T) {
	TestStaffed(t, Users("ana", "mod", "ozzy"), func(w *World) {
		for _, text := range []string{"first", "second"} {
			w.OperatorDoes("mod", `mutation($t: String!) { noteOnPerson(id: "{ana}", note: $t) { id } }`, apptest.Vars{"t": text})
		}
		w.OperatorRefused("BAD_INPUT", "mod", `mutation { noteOnPerson(id: "{ana}", note: "") { id } }`)
		w.OperatorAnswered("ozzy", `{ person(id: "{ana}") { notes { text who { username } } } }`,
			`{"person":{"notes":[{"text":"second","who":{"username":"mod"}},{"text":"first","who":{"username":"mod"}}]}}`)
	})
}

// operator 4#2: whoever is suspended again before the end of the last suspension has reached their profile has
// the status from before it when that ends too, unless they have disabled themselves between the two.
func TestSuspensionsInARow(t *testing.T) {
	TestStaffed(t, Users("ana", "ben", "ozzy"), func(w *World) {
		suspends := func(who string) {
			t.Helper()
			w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{" + who + "}", "r": "spam", "u": w.Now().Add(time.Hour).Format(time.RFC3339)})
		}
		suspends("ana")
		suspends("ben")
		disarm := w.Client.Arm(faultdb.On("TransactWriteItems", 2, faultdb.Internal))
		w.OperatorDoes("ozzy", reinstate, apptest.Vars{"i": "{ana}"})
		if !disarm() {
			t.Fatal("the profile was enabled at once")
		}
		suspends("ana")
		w.OperatorDoes("ozzy", reinstate, apptest.Vars{"i": "{ben}"})
		w.Does("ben", `mutation { disableUser { userStatus } }`)
		suspends("ben")
		w.Settle()
		w.Is(w.OperatorDoes("ozzy", `{ person(id: "{ana}") { status } }`), "person.status", `"DISABLED"`)
		w.Advance(2 * time.Hour)
		w.RunJob(host.Reinstate)
		w.Is(w.Does("ana", `{ self { userStatus } }`), "self.userStatus", `"ACTIVE"`)
		w.Is(w.Does("ben", `{ self { userStatus } }`), "self.userStatus", `"DISABLED"`)
	})
}
