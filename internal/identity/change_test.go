package identity_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// contacts fails the test unless an account has the given verified contacts.
func (h *house) contacts(id, email, phone string) {
	h.t.Helper()
	gotEmail, gotPhone, found, err := h.issuer.Account(h.t.Context(), viewer.UserID(id))
	if gotEmail != email || gotPhone != phone || !found || err != nil {
		h.t.Errorf("the account has %q and %q, %t, %v; want %q and %q", gotEmail, gotPhone, found, err, email, phone)
	}
}

func (h *house) start(id, channel, value string) {
	h.t.Helper()
	if err := h.issuer.StartChange(h.t.Context(), viewer.UserID(id), channel, value); err != nil {
		h.t.Fatal(err)
	}
}

// finish finishes a change and returns the value that was applied, if any.
func (h *house) finish(id, channel, code string) (applied string, err error) {
	h.t.Helper()
	err = h.issuer.FinishChange(h.t.Context(), viewer.UserID(id), channel, code, func(ctx context.Context, c identity.Change) error {
		applied = map[string]string{identity.ViaEmail: c.After.Email, identity.ViaSMS: c.After.Phone}[channel]
		return h.save(ctx, c)
	})
	return applied, err
}

func wantRefused(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text || refusal.KindOf(err) != refusal.Invalid {
		t.Errorf("got %v, want the refusal %q", err, text)
	}
}

func TestChangeOfContacts(t *testing.T) {
	for _, c := range []struct{ channel, from, to string }{
		{identity.ViaEmail, "ana@example.com", "Ana@New.example.com"},
		{identity.ViaSMS, "+12025550123", "+12025550124"},
	} {
		t.Run(c.channel, func(t *testing.T) {
			h := newHouse(t)
			id := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201).text("userId")
			h.turn(time.Second)
			h.start(id, c.channel, c.to)
			// Verified contacts are kept, also for sign-in.
			h.contacts(id, "ana@example.com", "+12025550123")
			h.signIn("email", "ana@example.com").want(200)
			h.signIn("phone", "+12025550123").want(200)

			code := h.code(id)
			_, err := h.finish(id, c.channel, wrong(code))
			wantRefused(t, err, "Verification code is invalid")
			h.contacts(id, "ana@example.com", "+12025550123")

			if applied, err := h.finish(id, c.channel, code); applied != c.to || err != nil {
				t.Fatalf("applied %q, %v", applied, err)
			}
			if c.channel == identity.ViaEmail {
				h.contacts(id, c.to, "+12025550123")
			} else {
				h.contacts(id, "ana@example.com", c.to)
				h.signIn("phone", c.to).want(200)
			}
			_, err = h.finish(id, c.channel, code)
			wantRefused(t, err, "No unverified email found to validate for user `"+id+"`")
		})
	}
}

func TestChangeNeedsAStart(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	none := "No unverified email found to validate for user `" + id + "`"
	// The code of a sign-up is not valid for a change.
	_, err := h.finish(id, identity.ViaEmail, h.code(id))
	wantRefused(t, err, none)
	_, err = h.finish(id, identity.ViaSMS, "123456")
	wantRefused(t, err, none)
	_, err = h.finish(given, identity.ViaEmail, "123456")
	wantRefused(t, err, "No unverified email found to validate for user `"+given+"`")
	if err := h.issuer.StartChange(t.Context(), given, identity.ViaEmail, "x@example.com"); refusal.KindOf(err) != refusal.NotFound {
		t.Errorf("a change of nobody: %v", err)
	}
}

// TestStartingAgain checks that a new change replaces the pending one and its code.
func TestStartingAgain(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.start(id, identity.ViaEmail, "first@example.com")
	first := h.code(id)
	h.turn(time.Second)
	h.start(id, identity.ViaEmail, "second@example.com")
	second := h.code(id)
	if first != second {
		_, err := h.finish(id, identity.ViaEmail, first)
		wantRefused(t, err, "Verification code is invalid")
	}
	if applied, err := h.finish(id, identity.ViaEmail, second); applied != "second@example.com" || err != nil {
		t.Fatalf("applied %q, %v", applied, err)
	}
	h.contacts(id, "second@example.com", "")
}

// TestChangeIsNoConfirmation checks that the request that confirms a sign-up cannot change
// a contact without its profile.
func TestChangeIsNoConfirmation(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.start(id, identity.ViaEmail, "new@example.com")
	h.post("/auth/confirm", object{"userId": id, "code": h.code(id)}).refused(400, "INVALID", "Verification code is invalid")
	h.contacts(id, "ana@example.com", "")

	// A code that is sent again is valid for the change.
	h.turn(time.Second)
	h.post("/auth/resend", object{"userId": id}).want(202)
	h.contacts(id, "ana@example.com", "")
	if applied, err := h.finish(id, identity.ViaEmail, h.code(id)); applied != "new@example.com" || err != nil {
		t.Fatalf("applied %q, %v", applied, err)
	}
}

func TestCodesOfAChangeEnd(t *testing.T) {
	for name, spoil := range map[string]func(h *house, id, code string){
		"late": func(h *house, _, _ string) { h.turn(15 * time.Minute) },
		"five wrong tries": func(h *house, id, code string) {
			for range 5 {
				_, err := h.finish(id, identity.ViaEmail, wrong(code))
				wantRefused(h.t, err, "Verification code is invalid")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			id := h.ana()
			h.turn(time.Second)
			h.start(id, identity.ViaEmail, "new@example.com")
			code := h.code(id)
			spoil(h, id, code)
			_, err := h.finish(id, identity.ViaEmail, code)
			wantRefused(t, err, "Verification code is invalid")
			h.contacts(id, "ana@example.com", "")
		})
	}
}

// TestChangeToATakenContact checks that the contact goes to the first user to verify it:
// availability is checked when the change is finished.
func TestChangeToATakenContact(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.start(id, identity.ViaEmail, "both@example.com")
	email := h.code(id)
	h.turn(time.Second)
	h.start(id, identity.ViaSMS, "+12025550199")
	phone := h.code(id)
	h.post("/auth/sign-up", object{"email": "both@example.com", "phone": "+12025550199", "password": password}).want(201)
	_, err := h.finish(id, identity.ViaEmail, email)
	wantRefused(t, err, "User email is already used by other")
	_, err = h.finish(id, identity.ViaSMS, phone)
	wantRefused(t, err, "User phoneNumber is already used by other")
	h.contacts(id, "ana@example.com", "")
}

// TestChangeThatCannotBeApplied checks that a failed change has no effect and can be
// finished later.
func TestChangeThatCannotBeApplied(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.start(id, identity.ViaEmail, "new@example.com")
	fault := errors.New("disk on fire")
	err := h.issuer.FinishChange(t.Context(), viewer.UserID(id), identity.ViaEmail, h.code(id), func(context.Context, identity.Change) error {
		return fault
	})
	if !errors.Is(err, fault) {
		t.Fatalf("got %v, want the fault", err)
	}
	h.contacts(id, "ana@example.com", "")
	h.signIn("email", "ana@example.com").want(200)
	if applied, err := h.finish(id, identity.ViaEmail, h.code(id)); applied != "new@example.com" || err != nil {
		t.Fatalf("applied %q, %v", applied, err)
	}
	h.contacts(id, "new@example.com", "")
}

// TestChangeWithoutAWayToSend checks that contacts are refused that cannot receive a code.
func TestChangeWithoutAWayToSend(t *testing.T) {
	p := &postbox{noSMS: true}
	h := newHouse(t, local(p))
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).want(201).text("userId")
	err := h.issuer.StartChange(t.Context(), viewer.UserID(id), identity.ViaSMS, "+12025550123")
	wantRefused(t, err, "No sms can be sent by this service, so `+12025550123` could never be confirmed: leave it out")
	h.start(id, identity.ViaEmail, "new@example.com")
	if m, n := p.last(t); n != 2 || m.To != "new@example.com" || m.Link != "https://app.test/confirm/email/"+id+"/"+m.Code {
		t.Errorf("sent %d, last %+v", n, m)
	}
}
