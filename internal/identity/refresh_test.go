package identity_test

import (
	"strings"
	"sync"
	"testing"
	"time"
)

const badRefresh = "Invalid Refresh Token"

func (h *house) refresh(token string) response {
	h.t.Helper()
	return h.post("/auth/refresh", object{"refreshToken": token})
}

// users A6 and A7: tokens expire after an hour, and can be refreshed for ten years.
func TestRefresh(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	first := h.signIn("userId", id).want(200)
	h.turn(time.Hour)
	h.get("/auth/me", bearer(first.text("accessToken"))...).refused(401, "UNAUTHENTICATED", "Token has expired.")

	second := h.refresh(first.text("refreshToken")).want(200)
	if h.owner(second) != id || second.text("refreshToken") == first.text("refreshToken") || len(second.body) != 5 {
		t.Errorf("answered %s", second.raw)
	}
	h.turn(3650*24*time.Hour - time.Second)
	h.refresh(second.text("refreshToken")).want(200)
}

func TestReuseRevokesTheFamily(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	elsewhere := h.signIn("userId", id).want(200).text("refreshToken")
	first := h.signIn("userId", id).want(200).text("refreshToken")
	second := h.refresh(first).want(200).text("refreshToken")
	third := h.refresh(second).want(200).text("refreshToken")

	h.refresh(first).refused(401, "UNAUTHENTICATED", badRefresh)
	h.refresh(third).refused(401, "UNAUTHENTICATED", badRefresh)
	h.refresh(elsewhere).want(200)
}

func TestRacingRefreshesAreReuse(t *testing.T) {
	h := newHouse(t)
	token := h.signIn("userId", h.ana()).want(200).text("refreshToken")
	answers := make([]response, 4)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = h.refresh(token) })
	}
	wg.Wait()
	won := 0
	for _, r := range answers {
		if r.status == 200 {
			won++
			h.refresh(r.text("refreshToken")).refused(401, "UNAUTHENTICATED", badRefresh)
		}
	}
	if won > 1 {
		t.Errorf("%d callers traded one token", won)
	}
}

func TestRefreshRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(h *house, id, token string) string
	}{
		{"nonsense", func(*house, string, string) string { return "nonsense" }},
		{"unknown family", func(_ *house, _, token string) string {
			_, secret, _ := strings.Cut(token, ".")
			return "7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f." + secret
		}},
		{"family without secret", func(_ *house, _, token string) string {
			family, _, _ := strings.Cut(token, ".")
			return family
		}},
		{"family in upper case", func(_ *house, _, token string) string {
			family, secret, _ := strings.Cut(token, ".")
			return strings.ToUpper(family) + "x." + secret
		}},
		{"expired", func(h *house, _, token string) string {
			h.turn(3650 * 24 * time.Hour)
			return token
		}},
		{"signed out", func(h *house, _, token string) string {
			h.post("/auth/sign-out", object{"refreshToken": token}).want(204)
			return token
		}},
		{"account deleted", func(h *house, id, token string) string {
			access := h.signIn("userId", id).want(200).text("accessToken")
			h.do("DELETE", "/auth/me", nil, bearer(access)...).want(204)
			return token
		}},
		{"password reset", func(h *house, id, token string) string {
			h.turn(time.Second)
			h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
			h.post("/auth/reset", object{"userId": id, "code": h.code(id), "password": "another horse"}).want(200)
			return token
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			id := h.ana()
			token := row.change(h, id, h.signIn("userId", id).want(200).text("refreshToken"))
			h.refresh(token).refused(401, "UNAUTHENTICATED", badRefresh)
		})
	}
}

func TestSignOut(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	elsewhere := h.signIn("userId", id).want(200).text("refreshToken")
	token := h.signIn("userId", id).want(200).text("refreshToken")
	for _, what := range []string{token, token, "nonsense"} {
		if r := h.post("/auth/sign-out", object{"refreshToken": what}).want(204); r.raw != "" {
			t.Errorf("answered %q", r.raw)
		}
	}
	h.refresh(elsewhere).want(200)
	h.post("/auth/sign-out", object{}).refused(400, "INVALID", "Field `refreshToken` is required")
}
