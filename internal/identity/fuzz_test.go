package identity_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzBodies looks for bodies that are slow to refuse, or whose response no client expects.
func FuzzBodies(f *testing.F) {
	h := newHouse(f)
	for _, body := range []string{
		`{}`, `[]`, `null`, `{"userId":"x"}`, `{"email":null,"password":"12345678"}`, `{"email":"a@b.c","email":"d@e.f"}`,
		`{"password":"` + strings.Repeat("x", 10_000) + `"}`, `{"email":"` + strings.Repeat("a@", 4000) + `","password":"12345678"}`,
		`{"phone":"+` + strings.Repeat("1", 10_000) + `","password":"12345678"}`, `{"userId":"` + strings.Repeat("us-east-1:", 1000) + `","password":"12345678"}`,
		strings.Repeat(`{"a":`, 3000), strings.Repeat(`[`, hostile.Size), `{"email":"\ud800","password":"12345678"}`, `{"code":"000000","userId":"\u0000"}`,
		`{"` + strings.Repeat("k", 15_000) + `":1}`, strings.Repeat(" ", hostile.Size),
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/auth/confirm", "/auth/resend", "/auth/refresh", "/auth/sign-out", "/auth/forgot", "/auth/reset"} {
			hostile.Check(t, body, func() {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.handler.ServeHTTP(w, r)
				if w.Code >= 500 {
					t.Errorf("%s answers %.100q with %d %s", path, body, w.Code, w.Body)
				}
			})
		}
	})
}
