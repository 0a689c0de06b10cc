package webhook

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The example of the Standard Webhooks specification.
func TestSignatures(t *testing.T) {
	h, err := New("https://app.example/hook", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", []string{"a"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	got := sign(h.Key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if want := "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
	if !h.Wants("a") || h.Wants("b") || len(h.ID()) != 16 {
		t.Errorf("%+v", h)
	}
}

// operator 8#1: what cannot be a hook.
func TestNewRefuses(t *testing.T) {
	secret := strings.Repeat("QUFB", 10)
	for _, c := range []struct {
		url, secret string
		events      []string
		want        string
	}{
		{"ftp://app.example", secret, []string{"a"}, "is not the URL"},
		{"https://user:password@app.example", secret, []string{"a"}, "is not the URL"},
		{"https://app.example", "short", []string{"a"}, "the secret of"},
		{"https://app.example", "QUFB", []string{"a"}, "the secret of"},
		{"https://app.example", secret, nil, "receives no events"},
		{"https://app.example", secret, []string{"c"}, `there is no event "c"`},
	} {
		if _, err := New(c.url, c.secret, c.events, []string{"a"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// operator 8#1: private networks are refused unless allowed, redirects are not followed, and
// only 2xx is success.
func TestSend(t *testing.T) {
	followed := false
	mux := http.NewServeMux()
	mux.HandleFunc("/taken", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) != "{}" || r.Header.Get("webhook-id") != "1" || r.Header.Get("webhook-timestamp") != "7" || !strings.HasPrefix(r.Header.Get("webhook-signature"), "v1,") {
			t.Errorf("got %s %v", body, r.Header)
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(make([]byte, 2*maxAnswer))
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { followed = true })
	server := httptest.NewServer(mux)
	defer server.Close()
	send := func(s *Sender, path string) error {
		return s.Send(t.Context(), Hook{URL: server.URL + path, Key: []byte("k")}, "1", time.Unix(7, 0), []byte("{}"))
	}
	open := NewSender(true)
	if err := send(open, "/taken"); err != nil {
		t.Error(err)
	}
	if err := send(open, "/moved"); err == nil || !strings.Contains(err.Error(), "307") || followed {
		t.Errorf("a redirect: %v, followed %t", err, followed)
	}
	if err := send(open, "/none"); err == nil {
		t.Error("404 is taken for success")
	}
	if err := send(NewSender(false), "/taken"); !errors.Is(err, ErrPrivate) {
		t.Errorf("this machine: %v", err)
	}
	for _, address := range []string{"10.1.2.3:443", "192.168.0.1:80", "169.254.169.254:80", "[::1]:443", "[fe80::1]:443", "[fd00::1]:443", "100.64.0.1:443",
		"[::ffff:127.0.0.1]:80", "0.0.0.0:80", "[64:ff9b::a00:1]:443", "224.0.0.1:80"} {
		if err := demandPublic(address); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"93.184.215.14:443", "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:443"} {
		if err := demandPublic(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
