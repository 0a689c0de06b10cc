package identity_test

import (
	"context"
	"errors"
	"testing"

	"stoa/internal/auth/provider"
	"stoa/internal/identity"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// anonymous returns the id and token of an anonymous identity.
func (h *house) anonymous() (viewer.UserID, string) {
	h.t.Helper()
	r := h.post("/auth/anonymous", nil).want(201)
	return viewer.UserID(r.text("userId")), r.text("accessToken")
}

// holds fails the test unless a login belongs to an identity, or to none if id is empty.
func (h *house) holds(login provider.Login, id viewer.UserID) {
	h.t.Helper()
	got, found, err := h.store.LoginHolder(h.t.Context(), login.Provider, login.Subject)
	if got != id || found != (id != "") || err != nil {
		h.t.Errorf("the login is that of %q, %t, %v; want %q", got, found, err, id)
	}
}

func login(name, subject, email string) provider.Login {
	return provider.Login{Provider: name, Subject: subject, Email: email}
}

func TestAnonymousIdentitiesAreNoAccounts(t *testing.T) {
	h := newHouse(t)
	id, token := h.anonymous()
	found := func(want bool) {
		t.Helper()
		if _, _, found, err := h.issuer.Account(t.Context(), id); found != want || err != nil {
			t.Errorf("found %t, %v; want %t", found, err, want)
		}
	}
	found(false)
	tokens, err := h.issuer.EnterAnonymously(t.Context(), id, h.save)
	if err != nil || tokens.TokenType != "Bearer" || tokens.ExpiresIn != 3600 {
		t.Fatalf("entered with %+v, %v", tokens, err)
	}
	found(true)
	// The identity's first token is still valid, and shows the new contact.
	h.get("/auth/me", bearer(token)...).want(200)
	h.get("/auth/me", bearer(tokens.IDToken)...).want(200)
	h.post("/auth/refresh", object{"refreshToken": tokens.RefreshToken}).want(200)

	exists := "An account for userId `" + string(id) + "` already exists"
	_, err = h.issuer.EnterAnonymously(t.Context(), id, h.save)
	wantRefused(t, err, exists)
	h.post("/auth/sign-up", object{"userId": string(id), "password": password}, bearer(token)...).refused(409, "CONFLICT", exists)
	signedUp := h.ana()
	_, err = h.issuer.EnterAnonymously(t.Context(), viewer.UserID(signedUp), h.save)
	wantRefused(t, err, "An account for userId `"+signedUp+"` already exists")
}

func TestEnterWithALogin(t *testing.T) {
	for _, name := range []string{identity.Apple, identity.Google, identity.Facebook} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			ana := h.ana()
			id, _ := h.anonymous()
			enter := func(id viewer.UserID, l provider.Login) error {
				return h.issuer.EnterWithLogin(t.Context(), id, l, h.save)
			}
			wantRefused(t, enter(id, login(name, "1", "ana@example.com")), "Email `ana@example.com` already taken")
			mine := login(name, "1", "ben@example.com")
			h.holds(mine, "")

			if err := enter(id, mine); err != nil {
				t.Fatal(err)
			}
			h.contacts(string(id), "ben@example.com", "")
			h.holds(mine, id)
			wantRefused(t, enter(id, mine), "An account for userId `"+string(id)+"` already exists")
			// Other users with the same login or e-mail address are refused.
			other, _ := h.anonymous()
			wantRefused(t, enter(other, login(name, "1", "cem@example.com")), "Failed to link identity pool entries: the login is linked to another identity")
			wantRefused(t, h.issuer.Link(t.Context(), viewer.UserID(ana), mine, h.save), "Failed to link identity pool entries: the login is linked to another identity")
			h.contacts(ana, "ana@example.com", "")

			if err := h.issuer.Delete(t.Context(), id, h.save); err != nil {
				t.Fatal(err)
			}
			h.holds(mine, "")
			wantRefused(t, enter(id, mine), "Failed to link identity pool entries: the identity is deleted")
			if err := enter(other, mine); err != nil {
				t.Errorf("a freed login cannot be used: %v", err)
			}
		})
	}
}

func TestLink(t *testing.T) {
	h := newHouse(t)
	ana := viewer.UserID(h.ana())
	ben, _ := h.anonymous()
	if _, err := h.issuer.EnterAnonymously(t.Context(), ben, h.save); err != nil {
		t.Fatal(err)
	}
	link := func(id viewer.UserID, l provider.Login) error { return h.issuer.Link(t.Context(), id, l, h.save) }

	// An existing e-mail address is kept.
	if err := link(ana, login(identity.Google, "g1", "other@example.com")); err != nil {
		t.Fatal(err)
	}
	h.contacts(string(ana), "ana@example.com", "")
	h.holds(login(identity.Google, "g1", ""), ana)
	// Linking the same login again changes nothing; another login of the same provider
	// replaces it.
	for _, subject := range []string{"g1", "g2"} {
		if err := link(ana, login(identity.Google, subject, "ana@example.com")); err != nil {
			t.Fatal(err)
		}
	}
	h.holds(login(identity.Google, "g1", ""), "")
	h.holds(login(identity.Google, "g2", ""), ana)

	wantRefused(t, link(ben, login(identity.Apple, "a1", "ana@example.com")), "Email `ana@example.com` already taken")
	h.holds(login(identity.Apple, "a1", ""), "")
	if err := link(ben, login(identity.Apple, "a1", "ben@example.com")); err != nil {
		t.Fatal(err)
	}
	h.contacts(string(ben), "ben@example.com", "")
	h.holds(login(identity.Apple, "a1", ""), ben)

	wantRefused(t, link(given, login(identity.Apple, "a2", "x@example.com")), "Failed to link identity pool entries: the identity is deleted")
}

// TestWhatIsSavedWithAChange checks that the identity is unchanged if the other writes
// fail, and that the change is decided again after a conflict.
func TestWhatIsSavedWithAChange(t *testing.T) {
	h := newHouse(t)
	id, _ := h.anonymous()
	mine := login(identity.Facebook, "f1", "ana@example.com")
	fault := errors.New("disk on fire")
	err := h.issuer.EnterWithLogin(t.Context(), id, mine, func(context.Context, identity.Change) error { return fault })
	if !errors.Is(err, fault) {
		t.Fatalf("got %v, want the fault", err)
	}
	h.holds(mine, "")
	if _, _, found, _ := h.issuer.Account(t.Context(), id); found {
		t.Error("an account is left")
	}

	times := 0
	err = h.issuer.EnterWithLogin(t.Context(), id, mine, func(ctx context.Context, c identity.Change) error {
		if times++; times < 3 {
			return refusal.Conflictf("changed meanwhile")
		}
		return h.save(ctx, c)
	})
	if times != 3 || err != nil {
		t.Errorf("saved %d times, %v", times, err)
	}
	h.holds(mine, id)
	// Other writes are saved even if the identity does not change.
	saved := false
	err = h.issuer.Link(t.Context(), id, mine, func(_ context.Context, c identity.Change) error {
		saved = c.Before == c.After
		return nil
	})
	if !saved || err != nil {
		t.Errorf("saved %t, %v", saved, err)
	}
}
