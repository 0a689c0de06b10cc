package identity_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

func TestMalformedRequests(t *testing.T) {
	h := newHouse(t)
	for _, row := range []struct {
		name    string
		body    string
		media   string
		status  int
		code    string
		message string
	}{
		{"empty", "", "application/json", 400, "INVALID", "The request body must be a JSON object"},
		{"no JSON", "{", "application/json", 400, "INVALID", "The request body must be a JSON object"},
		{"a list", "[]", "application/json", 400, "INVALID", "The request body must be a JSON object"},
		{"null", "null", "application/json", 400, "INVALID", "The request body must be a JSON object"},
		{"two objects", "{}{}", "application/json", 400, "INVALID", "The request body must be a JSON object"},
		{"unknown field", `{"userName":"x"}`, "application/json", 400, "INVALID", "Unknown field `userName`: known are `userId`, `email`, `phone`, `password`"},
		{"field in another case", `{"Password":"correct horse"}`, "application/json", 400, "INVALID", "Unknown field `Password`: known are `userId`, `email`, `phone`, `password`"},
		{"the first of unknown fields by name", `{"b":"x","a":"x","userId":"u"}`, "application/json", 400, "INVALID",
			"Unknown field `a`: known are `userId`, `email`, `phone`, `password`"},
		{"number", `{"password":12345678}`, "application/json", 400, "INVALID", "Field `password` must be a string"},
		{"object", `{"password":{}}`, "application/json", 400, "INVALID", "Field `password` must be a string"},
		{"null field", `{"password":null}`, "application/json", 400, "INVALID", "Field `password` is required"},
		{"form", "password=x", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE", "Send the request as Content-Type: application/json"},
		{"nonsense media type", "{}", ";", 415, "UNSUPPORTED_MEDIA_TYPE", "Send the request as Content-Type: application/json"},
		{"too large", `{"password":"` + strings.Repeat("x", 20<<10) + `"}`, "application/json", 413, "TOO_LARGE", "The request body may have 16384 bytes"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h.post("/auth/sign-up", row.body, "Content-Type", row.media).refused(row.status, row.code, row.message)
		})
	}
	h.post("/auth/sign-up", `{"password":"correct horse"}`, "Content-Type", "application/json; charset=UTF-8").want(201)
}

func TestAddressesAndMethods(t *testing.T) {
	h := newHouse(t)
	for _, row := range []struct{ method, path, allow string }{
		{"GET", "/auth/sign-up", "POST"}, {"PUT", "/auth/sign-up", "POST"}, {"GET", "/auth/confirm", "POST"},
		{"GET", "/auth/resend", "POST"}, {"GET", "/auth/sign-in", "POST"}, {"GET", "/auth/anonymous", "POST"},
		{"GET", "/auth/refresh", "POST"}, {"GET", "/auth/sign-out", "POST"}, {"GET", "/auth/forgot", "POST"},
		{"GET", "/auth/reset", "POST"}, {"POST", "/auth/me", "DELETE, GET, HEAD"}, {"POST", "/auth/password-key", "GET, HEAD"},
		{"POST", "/auth/dev/outbox", "GET, HEAD"}, {"GET", "/auth/dev/token", "POST"},
		{"POST", "/.well-known/jwks.json", "GET, HEAD"}, {"DELETE", "/.well-known/openid-configuration", "GET, HEAD"},
	} {
		r := h.do(row.method, row.path, nil).refused(405, "METHOD_NOT_ALLOWED", "Use "+row.allow)
		if r.header.Get("Allow") != row.allow {
			t.Errorf("%s %s allows %q, want %q", row.method, row.path, r.header.Get("Allow"), row.allow)
		}
	}
	for _, path := range []string{"/auth/", "/auth/nothing", "/auth/me/", "/.well-known/security.txt"} {
		h.get(path).refused(404, "NOT_FOUND", "There is nothing at this address")
	}
	h.do("HEAD", "/.well-known/jwks.json", nil).want(200)
}

func TestAnswersAreNotCached(t *testing.T) {
	h := newHouse(t)
	if got := h.post("/auth/anonymous", nil).want(201).header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("tokens come with Cache-Control %q", got)
	}
	if got := h.get("/.well-known/jwks.json").want(200).header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("keys come with Cache-Control %q", got)
	}
}

// broken is a store whose reads fail.
type broken struct{ identity.Store }

func (broken) EmailHolder(context.Context, string) (viewer.UserID, bool, error) {
	return "", false, errors.New("secret detail")
}

func TestServerErrorsKeepTheirDetails(t *testing.T) {
	h := newHouse(t, func(c *identity.Config) { c.Store = broken{c.Store} })
	h.signIn("email", "ana@example.com").refused(500, "INTERNAL", "Internal server error")
}
