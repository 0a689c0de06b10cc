package identity_test

import (
	"testing"
	"time"

	"stoa/internal/kit/viewer"
)

// TestTokensEnd checks which operations revoke the tokens of an identity, and which let
// them expire.
func TestTokensEnd(t *testing.T) {
	for _, row := range []struct {
		name string
		out  func(h *house, id string, token []string)
		ends bool
	}{
		{"DELETE /auth/me", func(h *house, _ string, token []string) { h.do("DELETE", "/auth/me", nil, token...).want(204) }, true},
		{"/auth/reset", func(h *house, id string, _ []string) {
			h.turn(time.Second)
			h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
			h.post("/auth/reset", object{"userId": id, "code": h.code(id), "password": "another horse"}).want(200)
		}, true},
		{"deleteUser", func(h *house, id string, _ []string) {
			if err := h.issuer.Delete(h.t.Context(), viewer.UserID(id), h.save); err != nil {
				h.t.Fatal(err)
			}
		}, false},
		{"setUserPassword", func(h *house, id string, _ []string) {
			if err := h.issuer.SetPassword(h.t.Context(), viewer.UserID(id), encrypt(h.t, passwordKey(h.t, h), "another horse")); err != nil {
				h.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			id := h.ana()
			tokens := h.signIn("userId", id).want(200)
			token := tokens.text("accessToken")
			if _, err := h.verifier.Authenticate(t.Context(), token); err != nil {
				t.Fatal(err)
			}
			row.out(h, id, bearer(token))
			h.turn(30 * time.Second)
			_, err := h.verifier.Authenticate(t.Context(), token)
			if row.ends != (err != nil) {
				t.Errorf("a token of before: %v, want it ended: %t", err, row.ends)
			}
		})
	}
}

// TestTokensAfterAReset checks that a reset revokes only earlier tokens.
func TestTokensAfterAReset(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
	h.post("/auth/reset", object{"userId": id, "code": h.code(id), "password": password}).want(200)
	tokens := h.signIn("userId", id).want(200)
	for _, name := range []string{"accessToken", "idToken"} {
		if _, err := h.verifier.Authenticate(t.Context(), tokens.text(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.get("/auth/me", bearer(tokens.text("accessToken"))...).want(200)
}
