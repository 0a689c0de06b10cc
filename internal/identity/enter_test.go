package identity_test

import (
	"testing"

	"stoa/internal/auth/provider"
	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// anonymous returns the id and token of an anonymous identity.
func (h *house) anonymous() (viewer.UserID, string) {
	h.t.Helper()
	r := h.post("/auth/anonymous", nil).want(201)
	return viewer.UserID(r.text("userId")), r.text("accessToken")
}

// holds fails the test unless a login is that of an identity, "" for nobody's.
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
	if _, err := h.issuer.Enter(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	found(true)
	exists := "An account for userId `" + string(id) + "` already exists"
	_, err := h.issuer.Enter(t.Context(), id, nil)
	wantRefused(t, err, exists)
	h.post("/auth/sign-up", object{"userId": string(id), "password": password}, bearer(token)...).refused(409, "CONFLICT", exists)
	// The token that the identity began with is still good, and it may have more.
	h.get("/auth/me", bearer(token)...).want(200)
	_, tokens, err := h.issuer.Mint(t.Context(), string(id))
	if err != nil || tokens.TokenType != "Bearer" || tokens.ExpiresIn != 3600 {
		t.Fatalf("minted %+v, %v", tokens, err)
	}
	h.get("/auth/me", bearer(tokens.IDToken)...).want(200)
	h.post("/auth/refresh", object{"refreshToken": tokens.RefreshToken}).want(200)

	signedUp := h.ana()
	_, err = h.issuer.Enter(t.Context(), viewer.UserID(signedUp), nil)
	wantRefused(t, err, "An account for userId `"+signedUp+"` already exists")
}

func TestEnterWithALogin(t *testing.T) {
	for _, name := range []string{identity.Apple, identity.Google, identity.Facebook} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			ana := h.ana()
			id, _ := h.anonymous()
			_, err := h.issuer.Enter(t.Context(), id, &provider.Login{Provider: name, Subject: "1", Email: "ana@example.com"})
			wantRefused(t, err, "Email `ana@example.com` already taken")
			mine := login(name, "1", "ben@example.com")
			h.holds(mine, "")

			undo, err := h.issuer.Enter(t.Context(), id, &mine)
			if err != nil {
				t.Fatal(err)
			}
			h.contacts(string(id), "ben@example.com", "")
			h.holds(mine, id)
			if err := undo(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.holds(mine, "")
			if _, _, found, _ := h.issuer.Account(t.Context(), id); found {
				t.Error("an account is left")
			}

			if _, err := h.issuer.Enter(t.Context(), id, &mine); err != nil {
				t.Fatal(err)
			}
			// Whoever else comes with the same login or e-mail is refused.
			other, _ := h.anonymous()
			_, err = h.issuer.Enter(t.Context(), other, &provider.Login{Provider: name, Subject: "1", Email: "cem@example.com"})
			wantRefused(t, err, "Failed to link identity pool entries: the login is linked to another identity")
			_, _, err = h.issuer.Link(t.Context(), viewer.UserID(ana), mine)
			wantRefused(t, err, "Failed to link identity pool entries: the login is linked to another identity")
			h.contacts(ana, "ana@example.com", "")

			if err := h.issuer.Delete(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			h.holds(mine, "")
			_, err = h.issuer.Enter(t.Context(), id, &mine)
			wantRefused(t, err, "Failed to link identity pool entries: the identity is deleted")
			if _, err := h.issuer.Enter(t.Context(), other, &mine); err != nil {
				t.Errorf("a freed login cannot be used: %v", err)
			}
		})
	}
}

func TestLink(t *testing.T) {
	h := newHouse(t)
	ana := viewer.UserID(h.ana())
	ben, _ := h.anonymous()
	if _, err := h.issuer.Enter(t.Context(), ben, nil); err != nil {
		t.Fatal(err)
	}

	// An e-mail that is there is kept.
	adopted, _, err := h.issuer.Link(t.Context(), ana, login(identity.Google, "g1", "other@example.com"))
	if adopted || err != nil {
		t.Fatalf("adopted %t, %v", adopted, err)
	}
	h.contacts(string(ana), "ana@example.com", "")
	h.holds(login(identity.Google, "g1", ""), ana)
	// Linking again changes nothing; another login of the same provider takes its place.
	for _, subject := range []string{"g1", "g2"} {
		if _, _, err := h.issuer.Link(t.Context(), ana, login(identity.Google, subject, "ana@example.com")); err != nil {
			t.Fatal(err)
		}
	}
	h.holds(login(identity.Google, "g1", ""), "")
	h.holds(login(identity.Google, "g2", ""), ana)

	_, _, err = h.issuer.Link(t.Context(), ben, login(identity.Apple, "a1", "ana@example.com"))
	wantRefused(t, err, "Email `ana@example.com` already taken")
	h.holds(login(identity.Apple, "a1", ""), "")

	adopted, undo, err := h.issuer.Link(t.Context(), ben, login(identity.Apple, "a1", "ben@example.com"))
	if !adopted || err != nil {
		t.Fatalf("adopted %t, %v", adopted, err)
	}
	h.contacts(string(ben), "ben@example.com", "")
	if err := undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.contacts(string(ben), "", "")
	h.holds(login(identity.Apple, "a1", ""), "")

	_, _, err = h.issuer.Link(t.Context(), given, login(identity.Apple, "a2", "x@example.com"))
	wantRefused(t, err, "Failed to link identity pool entries: the identity is deleted")
}

// TestUndoComesTooLate leaves an identity alone that has changed since.
func TestUndoComesTooLate(t *testing.T) {
	h := newHouse(t)
	id, _ := h.anonymous()
	mine := login(identity.Facebook, "f1", "ana@example.com")
	undo, err := h.issuer.Enter(t.Context(), id, &mine)
	if err != nil {
		t.Fatal(err)
	}
	h.start(string(id), identity.ViaEmail, "new@example.com")
	if err := undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.contacts(string(id), "ana@example.com", "")
	h.holds(mine, id)
}
