package host

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/desk"
	"stoa/internal/webhook"
)

// operator 8#2: a check is a signed request; whatever is no answer is a failure, for which the
// setting decides. Redirects are not followed, and private networks refused unless allowed.
func TestContentCheck(t *testing.T) {
	mux := http.NewServeMux()
	answers := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			asked, _ := io.ReadAll(r.Body)
			if want := `{"system":"social","kind":"POST","itemId":"p1","author":"ana","text":"hello","media":["https://app.example/1"]}`; string(asked) != want {
				t.Errorf("asked %s, want %s", asked, want)
			}
			if r.Header.Get("webhook-id") != "check.id" || !strings.HasPrefix(r.Header.Get("webhook-signature"), "v1,") {
				t.Errorf("asked with %v", r.Header)
			}
			_, _ = io.WriteString(w, body)
		})
	}
	answers("/allow", `{"verdict": "ALLOW"}`)
	answers("/hold", `{"verdict": "HOLD", "rule": "spam", "note": "odd"}`)
	answers("/perhaps", `{"verdict": "PERHAPS"}`)
	answers("/none", "")
	answers("/long", strings.Repeat(" ", 65<<10)+`{"verdict": "ALLOW"}`)
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/allow", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	check := func(path string, private bool, timeout time.Duration) desk.Check {
		h := &Host{}
		h.Log, h.PrivateWebhooks, h.Now, h.NewID = slog.New(slog.DiscardHandler), private, time.Now, func() string { return "id" }
		h.Check = ContentCheck{At: webhook.Hook{URL: server.URL + path, Key: []byte("k")}, Timeout: timeout, Failure: desk.CheckRemove}
		found, err := h.Checker().Check(t.Context(), desk.Draft{
			Item: desk.Item{System: "social", Kind: desk.Post, ItemID: "p1"}, Author: "ana", Text: "hello", Media: []string{"https://app.example/1"},
		})
		if err != nil {
			t.Error(err)
		}
		return found
	}
	const patient = 30 * time.Second
	if got, want := check("/allow", true, patient), (desk.Check{Verdict: desk.CheckAllow}); got != want {
		t.Errorf("found %+v, want %+v", got, want)
	}
	if got, want := check("/hold", true, patient), (desk.Check{Verdict: desk.CheckHold, Rule: "spam", Note: "odd"}); got != want {
		t.Errorf("found %+v, want %+v", got, want)
	}
	for path, want := range map[string]string{
		"/perhaps": "the answer has no verdict", "/none": "the answer is not what it should be", "/long": "the answer is longer than 65536 bytes",
		"/moved": "the receiver answers 307", "/missing": "the receiver answers 404",
	} {
		if got := check(path, true, patient); !got.Failed || got.Verdict != desk.CheckRemove || !strings.Contains(got.Note, want) {
			t.Errorf("%s: found %+v", path, got)
		}
	}
	if got := check("/slow", true, 20*time.Millisecond); !got.Failed || got.Note != "no answer within 20ms" {
		t.Errorf("found %+v", got)
	}
	if got := check("/allow", false, patient); !got.Failed || !strings.Contains(got.Note, webhook.ErrPrivate.Error()) || strings.Contains(got.Note, server.URL) {
		t.Errorf("found %+v", got)
	}
}
