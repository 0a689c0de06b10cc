package user_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"testing"

	. "stoa/social/socialtest"
)

// code returns the newest code sent to a user.
func code(w *World, name string) string {
	w.T.Helper()
	messages, err := w.Host.Ops.Identities.Messages(w.T.Context(), w.ID(name), 1)
	if err != nil || len(messages) == 0 {
		w.T.Fatalf("%s was sent %v, %v", name, messages, err)
	}
	return messages[0].Code
}

func refusal(w *World, as, query, want string) {
	w.T.Helper()
	a := w.Ask(as, query)
	if len(a.Errors) != 1 || a.Errors[0].Message != w.People.Fill("ClientError: "+want) {
		w.T.Errorf("%s: %v, want %q", query, a.Errors, w.People.Fill(want))
	}
}

// A change of e-mail or phone, in the order of its checks.
func TestChangeOfContacts(t *testing.T) {
	for _, c := range []struct{ kind, argument, own, taken, fresh, set, used string }{
		{"UserEmail", "email", "ana@example.com", "ben@example.com", "Ana@New.example.com",
			"User email already set to `ana@example.com`", "User email is already used by other"},
		{"UserPhoneNumber", "phoneNumber", "+15105551000", "+15105551001", "+15105551002",
			"User phone already set to `+15105551000`", "User phoneNumber is already used by other"},
	} {
		start := func(value string) string {
			return fmt.Sprintf(`mutation { answer: startChange%s(%s: %q) { %s userStatus } }`, c.kind, c.argument, value, c.argument)
		}
		finish := func(code string) string {
			return fmt.Sprintf(`mutation { answer: finishChange%s(verificationCode: %q) { %s userStatus } }`, c.kind, code, c.argument)
		}
		given := Given{}.Identity("ana", contacts("ana", "+15105551000")).Identity("ben", contacts("ben", "+15105551001")).Users("ana", "ben")
		t.Run(c.kind, func(t *testing.T) {
			Test(t, given, func(w *World) {
				refusal(w, "ana", finish("123456"), "No unverified email found to validate for user `{ana}`")
				refusal(w, "ana", start(c.own), c.set)
				refusal(w, "ana", start(c.taken), c.used)
				shown := func(value string) string {
					return fmt.Sprintf(`{"answer":{%q:%q,"userStatus":"ACTIVE"}}`, c.argument, value)
				}
				w.Play(Scenario{As: "ana", Query: start(c.fresh), Want: shown(c.own)})
				wrong := "000000"
				if code(w, "ana") == wrong {
					wrong = "000001"
				}
				refusal(w, "ana", finish(wrong), "Verification code is invalid")
				w.Play(Scenario{As: "ana", Query: fmt.Sprintf(`{ self { %s } }`, c.argument), Want: fmt.Sprintf(`{"self":{%q:%q}}`, c.argument, c.own)})
				w.Play(Scenario{As: "ana", Query: finish(code(w, "ana")), Want: shown(c.fresh)})
				refusal(w, "ana", finish(code(w, "ana")), "No unverified email found to validate for user `{ana}`")
				lookup := map[string]string{"email": "userEmail/", "phoneNumber": "userPhoneNumber/"}[c.argument]
				if w.Get("main", lookup+c.own, "-") != nil || w.Get("main", lookup+c.fresh, "-")["userId"] != string(w.ID("ana")) {
					w.T.Error("contacts lead elsewhere")
				}
				// The old value is available to all users.
				w.Must("ben", start(c.own))
			})
		})
		t.Run(c.kind+" ends anonymity", func(t *testing.T) {
			Test(t, Given{}.Anonymous("ana"), func(w *World) {
				w.Must("ana", start(c.fresh))
				w.Play(Scenario{As: "ana", Query: finish(code(w, "ana")), Counts: map[string]int{}, Events: Events{"user.status_moved": 1},
					Want: fmt.Sprintf(`{"answer":{%q:%q,"userStatus":"ACTIVE"}}`, c.argument, c.fresh)})
				w.Play(Scenario{As: "ana", Query: `{ self { cards { items { title } } } }`, Want: `{"self":{"cards":{"items":[{"title":"Add a profile photo"}]}}}`})
			})
		})
		t.Run(c.kind+" of two at once", func(t *testing.T) { // who proves it first has it
			Test(t, given, func(w *World) {
				w.Must("ana", start(c.fresh))
				w.Must("ben", start(c.fresh))
				w.Must("ana", finish(code(w, "ana")))
				refusal(w, "ben", finish(code(w, "ben")), c.used)
			})
		})
	}
}

// users A19, A20 and A21: who can set a password, and what it has to be.
func TestSetUserPassword(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		text, err := w.Host.Issuer.PasswordKeyPEM(w.T.Context())
		if err != nil {
			w.T.Fatal(err)
		}
		block, _ := pem.Decode(text)
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			w.T.Fatal(err)
		}
		set := func(password string) string {
			sealed, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key.(*rsa.PublicKey), []byte(password), nil)
			if err != nil {
				w.T.Fatal(err)
			}
			return fmt.Sprintf(`mutation { setUserPassword(encryptedPassword: %q) { userId } }`, base64.StdEncoding.EncodeToString(sealed))
		}
		refusal(w, "ana", `mutation { setUserPassword(encryptedPassword: "secret12") { userId } }`, "Unable to decrypt encrypted password")
		refusal(w, "ana", `mutation { setUserPassword(encryptedPassword: "c2VjcmV0MTI=") { userId } }`, "Unable to decrypt encrypted password")
		refusal(w, "ana", set("short12"), "Invalid password")
		w.Play(Scenario{As: "ana", Query: set("long enough"), Want: `{"setUserPassword":{"userId":"{ana}"}}`})
		stored, _, err := w.Host.Ops.Identities.Identity(w.T.Context(), w.ID("ana"))
		if err != nil || stored.PasswordHash == "" {
			w.T.Errorf("stored %+v, %v", stored, err)
		}
	})
	Run(t, []Scenario{{Name: "users A22 anonymous callers have no password",
		Given: Given{}.Anonymous("ana"), As: "ana", Query: `mutation { setUserPassword(encryptedPassword: "x") { userId } }`,
		Error: "ClientError: User `{ana}` is not ACTIVE"}})
}
