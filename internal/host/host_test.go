package host_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/host/toy"
	"stoa/internal/identity"
	"stoa/internal/job"
	"stoa/internal/kit/engine/enginetest"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
)

func newHost(t *testing.T, external host.External, systems ...host.System) *host.Host {
	t.Helper()
	return configuredHost(t, func(c *host.Config) { c.External = external }, systems...)
}

func configuredHost(t *testing.T, configure func(*host.Config), systems ...host.System) *host.Host {
	t.Helper()
	eng := enginetest.Memory(t)
	db := keyspec.Open(dynamo.NewFromIface(eng), "test-", host.Tables(systems...)...)
	if err := db.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := host.Config{
		DB: db, Holder: "test",
		Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
		Now:    time.Now, NewID: uuid.NewString, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	}
	configure(&c)
	h, err := host.New(t.Context(), c, systems...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// extended returns the toy system with a job, a handler and a path.
func extended(run func(context.Context, time.Time) error) host.System {
	s := toy.System()
	join := s.Join
	s.Path = "/elsewhere"
	s.Join = func(ctx context.Context, h *host.Host) (host.Face, error) {
		face, err := join(ctx, h)
		face.Jobs = []job.Job{{Name: "toy.tidy", Every: time.Hour, Run: run}}
		face.Mounts = map[string]http.Handler{"/toys/": http.NotFoundHandler()}
		return face, err
	}
	return s
}

func TestWhatSystemsBringIsServed(t *testing.T) {
	ran := 0
	h := newHost(t, nil, extended(func(context.Context, time.Time) error { ran++; return nil }))
	if len(h.Joined) != 2 || h.Joined[1].Path != "/operator/graphql" || h.Joined[0].Name != "toy" || h.Joined[0].Path != "/elsewhere" || h.Joined[0].Schema == nil {
		t.Errorf("joined %+v", h.Joined)
	}
	if path := toy.System().Endpoint(); path != "/toy/graphql" {
		t.Errorf("a system without a path of its own answers at %s", path)
	}
	for _, pattern := range []string{"/auth/", "/.well-known/", "/toys/"} {
		if h.Mounts()[pattern] == nil {
			t.Errorf("%s is not mounted", pattern)
		}
	}
	if err := h.Jobs.RunNow(t.Context(), "toy.tidy"); err != nil || ran != 1 {
		t.Errorf("the job ran %d times, %v", ran, err)
	}
	if err := h.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
}

func TestASystemThatCannotBeJoinedIsAnError(t *testing.T) {
	broken := errors.New("broken")
	s := host.System{Name: "broken", Join: func(context.Context, *host.Host) (host.Face, error) { return host.Face{}, broken }}
	_, err := host.New(t.Context(), host.Config{
		DB: newHost(t, nil).DB, External: elsewhere{}, Now: time.Now, Registry: prometheus.NewRegistry(),
	}, s)
	if !errors.Is(err, broken) {
		t.Errorf("New = %v", err)
	}
}

// Without the social system there are no usernames to sign in with.
func TestIdentityWithoutUsernames(t *testing.T) {
	h := newHost(t, nil, toy.System())
	r := httptest.NewRequest(http.MethodPost, "/auth/sign-in", strings.NewReader(`{"username":"ana","password":"x"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.Mounts()["/auth/"].ServeHTTP(w, r)
	if w.Code != http.StatusUnauthorized {
		t.Errorf("sign-in: %d %s", w.Code, w.Body)
	}
}

// elsewhere is an authenticator that accepts one user.
type elsewhere struct{}

func (elsewhere) Authenticate(context.Context, string) (viewer.UserID, error) { return "somebody", nil }
func (elsewhere) Account(context.Context, viewer.UserID) (email, phone string, found bool, err error) {
	return "somebody@example.com", "", true, nil
}

func TestAnExternalIdentityIsAskedAlone(t *testing.T) {
	h := newHost(t, elsewhere{}, toy.System())
	if _, serves := h.Mounts()["/auth/"]; h.Issuer != nil || serves {
		t.Error("a built-in identity stands beside the external one")
	}
	if who, err := h.Authenticator.Authenticate(t.Context(), ""); err != nil || who != "somebody" {
		t.Errorf("the external identity is not asked: %q, %v", who, err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ran := make(chan struct{}, 1)
	h := newHost(t, nil, extended(func(context.Context, time.Time) error { ran <- struct{}{}; return nil }))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	<-ran // a job that never ran is due
	cancel()
	<-done
}

// operator 1#1: the API of those who run the service is off unless somebody can have a role.
func TestOperatorsAPIIsOffWithoutOperators(t *testing.T) {
	for _, c := range []struct {
		name                  string
		mode                  identity.Mode
		external              host.External
		operators, moderators []string
		on                    bool
	}{
		{name: "dev", mode: identity.Dev, on: true},
		{name: "local", mode: identity.Local},
		{name: "elsewhere", external: elsewhere{}},
		{name: "local with operators", mode: identity.Local, operators: []string{"ana@example.com"}, on: true},
		{name: "elsewhere with moderators", external: elsewhere{}, moderators: []string{"ana@example.com"}, on: true},
	} {
		h, err := host.New(t.Context(), host.Config{
			DB: newHost(t, nil).DB, External: c.external, Operators: c.operators, Moderators: c.moderators,
			Issuer: host.IssuerConfig{Mode: c.mode, Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
			Now:    time.Now, NewID: uuid.NewString, Random: rand.Reader, Registry: prometheus.NewRegistry(),
		})
		if err != nil {
			t.Fatal(err)
		}
		if on := len(h.Joined) == 1 && !h.Joined[0].Off(); on != c.on {
			t.Errorf("%s: joined %+v", c.name, h.Joined)
		}
		// A reload switches it on and off (operator 5#4).
		h.SetRoles([]string{"ana@example.com"}, nil)
		if h.Joined[0].Off() {
			t.Errorf("%s: off with an operator", c.name)
		}
		if h.SetRoles(nil, nil); h.Joined[0].Off() != (c.mode != identity.Dev) {
			t.Errorf("%s: off is %t without operators", c.name, h.Joined[0].Off())
		}
	}
}
