package identity_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"stoa/internal/auth"
	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// house is an issuer with its dependencies, and a clock that only tests advance.
type house struct {
	t        testing.TB
	store    identity.Store
	keys     *identity.Keyring
	verifier *auth.Verifier
	issuer   *identity.Issuer
	handler  http.Handler
	names    usernames

	mu sync.Mutex
	at time.Time
	// succeeded are the requests that have succeeded, by method and path.
	succeeded map[string]bool
}

// usernames holds the user ids of profiles by lower-case name.
type usernames map[string]viewer.UserID

func (u usernames) UserIDByUsername(_ context.Context, name string) (viewer.UserID, bool, error) {
	id, ok := u[strings.ToLower(name)]
	return id, ok, nil
}

func (u usernames) ValidUsername(name string) bool { return len(name) > 2 }

func (u usernames) ReservedUsername(string) bool { return false }

// cheap is a password hash with negligible cost.
var cheap = identity.Cost{MemoryKiB: 8, Passes: 1}

const password = "correct horse"

func newHouse(t testing.TB, changes ...func(*identity.Config)) *house {
	t.Helper()
	return joinHouse(t, newStore(t), changes...)
}

// joinHouse adds another process on a store.
func joinHouse(t testing.TB, store identity.Store, changes ...func(*identity.Config)) *house {
	t.Helper()
	h := &house{t: t, store: store, names: usernames{}, at: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC),
		succeeded: map[string]bool{}}
	keys, err := identity.OpenKeyring(t.Context(), store, h.now, uuid.NewString)
	if err != nil {
		t.Fatal(err)
	}
	h.keys = keys
	h.verifier = auth.New(auth.Config{Keys: keys, Audience: "stoa", Versions: identity.Versions{Store: store}, Now: h.now})
	config := identity.Config{
		Mode: identity.Dev, Region: "us-east-1", PublicURL: "https://stoa.test",
		AppURL: "https://app.test", AppName: "APP", Audience: "stoa",
		Store: store, Keys: keys, Usernames: h.names, Tokens: h.verifier, Mailer: identity.Outbox{Store: store},
		Cost: cheap, Now: h.now, Random: rand.Reader, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}
	for _, change := range changes {
		change(&config)
	}
	h.issuer = identity.New(config)
	mux := http.NewServeMux()
	mux.Handle("/", h.issuer.Handler())
	for pattern, handler := range h.issuer.SideAPI() {
		mux.Handle(pattern, handler)
	}
	h.handler = mux
	return h
}

// save stores a change without other writes.
func (h *house) save(ctx context.Context, c identity.Change) error {
	if c.Family != nil {
		if err := h.store.AddTokenFamily(ctx, *c.Family); err != nil {
			return err
		}
	}
	return h.store.SaveIdentity(ctx, c.Before, c.After)
}

func (h *house) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *house) turn(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

// local changes a house to local identity, with messages delivered to p.
func local(p *postbox) func(*identity.Config) {
	return func(c *identity.Config) { c.Mode, c.Mailer = identity.Local, p }
}

// postbox is a mailer that keeps its messages.
type postbox struct {
	mu       sync.Mutex
	messages []identity.Message
	fault    error
	noSMS    bool
	// gate, if set, blocks messages until it is closed.
	gate chan struct{}
}

func (p *postbox) hold(gate chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate = gate
}

func (p *postbox) Reaches(channel string) bool { return channel != "sms" || !p.noSMS }

func (p *postbox) Send(_ context.Context, m identity.Message) error {
	p.mu.Lock()
	gate := p.gate
	p.mu.Unlock()
	if gate != nil {
		<-gate
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = append(p.messages, m)
	return p.fault
}

// last returns the newest message and the number of messages.
func (p *postbox) last(t *testing.T) (identity.Message, int) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.messages) == 0 {
		t.Fatal("no message was sent")
	}
	return p.messages[len(p.messages)-1], len(p.messages)
}

type object = map[string]any

// response is an HTTP response with its body decoded, if it is JSON.
type response struct {
	t      testing.TB
	status int
	header http.Header
	raw    string
	body   object
}

func (h *house) do(method, path string, body any, headers ...string) response {
	h.t.Helper()
	var reader io.Reader
	var sent []byte
	switch b := body.(type) {
	case nil:
	case string:
		sent, reader = []byte(b), strings.NewReader(b)
	default:
		var err error
		if sent, err = json.Marshal(b); err != nil {
			h.t.Fatal(err)
		}
		reader = bytes.NewReader(sent)
	}
	request := httptest.NewRequest(method, path, reader)
	if reader != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if address := request.Header.Get("Test-Remote"); address != "" {
		request.RemoteAddr = address + ":4711" // an IPv6 address comes in brackets
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, request)
	r := response{t: h.t, status: w.Code, header: w.Header(), raw: w.Body.String()}
	if strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &r.body); err != nil {
			h.t.Fatalf("%s %s answers %q: %v", method, path, r.raw, err)
		}
	}
	r.follows(method, path, sent)
	if r.status < 300 {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.succeeded[method+" "+request.URL.Path] = true
	}
	return r
}

func (h *house) post(path string, body any, headers ...string) response {
	h.t.Helper()
	return h.do("POST", path, body, headers...)
}

func (h *house) get(path string, headers ...string) response {
	h.t.Helper()
	return h.do("GET", path, nil, headers...)
}

// want fails the test unless the response has the given status.
func (r response) want(status int) response {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("answered %d %s, want %d", r.status, r.raw, status)
	}
	return r
}

// refused fails the test unless the response is the given error.
func (r response) refused(status int, code, message string) response {
	r.t.Helper()
	r.want(status)
	failure, _ := r.body["error"].(object)
	if len(r.body) != 1 || failure["code"] != code || failure["message"] != message {
		r.t.Fatalf("answered %s, want %s %q", r.raw, code, message)
	}
	return r
}

func (r response) text(name string) string {
	r.t.Helper()
	text, ok := r.body[name].(string)
	if !ok {
		r.t.Fatalf("%s has no text %q", r.raw, name)
	}
	return text
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// ana signs up and returns her id.
func (h *house) ana() string {
	h.t.Helper()
	return h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).want(201).text("userId")
}

// signIn signs in with the usual password and returns the response.
func (h *house) signIn(kind, name string) response {
	h.t.Helper()
	return h.post("/auth/sign-in", object{kind: name, "password": password})
}

// code returns the newest code sent to a user of dev identity.
func (h *house) code(userID string) string {
	h.t.Helper()
	r := h.get("/auth/dev/outbox?userId=" + userID).want(200)
	messages := r.body["messages"].([]any)
	if len(messages) == 0 {
		h.t.Fatal("the outbox is empty")
	}
	return messages[0].(object)["code"].(string)
}

// wrong returns a well-formed code other than the given one.
func wrong(code string) string {
	first := (code[0]-'0'+1)%10 + '0'
	return string(first) + code[1:]
}
