package app_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/keyspec"
	"stoa/internal/server"
	"stoa/social"
	"stoa/social/app"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the whole service on an empty engine, reached through its real handler by
// callers whose token is their id. Its clock moves by a second with each request, and
// while it is restless by a microsecond with each look, so that no two things happen at
// once.
type world struct {
	app      *host.Host
	calls    *storetest.Calls
	handler  http.Handler
	clock    atomic.Int64 // microseconds since dawn
	ids      atomic.Int64
	restless atomic.Bool

	mu     sync.Mutex
	drifts []keyspec.Drift
}

var dawn = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// newWorld opens a world whose operations may be far larger than those of apps.
func newWorld(t *testing.T) *world {
	t.Helper()
	db, calls := storetest.OpenTables(t)
	w := &world{calls: calls}
	db.OnDrift = func(_ context.Context, d keyspec.Drift) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.drifts = append(w.drifts, d)
	}
	registry := prometheus.NewRegistry()
	h, err := host.New(t.Context(), host.Config{
		DB: db, Holder: "test", External: anybody{}, Now: w.now, NewID: w.newID,
		Random: rand.Reader, Wait: time.Minute, Log: slog.New(slog.DiscardHandler), Registry: registry,
	}, app.System(app.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	social := h.Face(app.Name)
	limits := server.DefaultLimits
	limits.Operation.Complexity = 1 << 20
	handler, err := server.New(server.Config{
		Systems:       []server.System{{Name: "social", Path: "/graphql", Schema: social.Schema, OperationContext: social.OperationContext}},
		Authenticator: h.Authenticator, Registry: registry, Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.app, w.handler = h, handler
	return w
}

func (w *world) now() time.Time {
	now := w.clock.Load()
	if w.restless.Load() {
		now = w.clock.Add(1)
	}
	return dawn.Add(time.Duration(now) * time.Microsecond)
}

func (w *world) newID() string {
	return fmt.Sprintf("00000000-0000-4000-9000-%012d", w.ids.Add(1))
}

// anybody vouches for whoever names an id, with an address made of it.
type anybody struct{}

func (anybody) Authenticate(_ context.Context, authorization string) (social.UserID, error) {
	return social.UserID(authorization), nil
}

func (anybody) Account(_ context.Context, id social.UserID) (email, phone string, found bool, err error) {
	return address(string(id)), "", true, nil
}

func address(id string) string { return id[len(id)-4:] + "@example.com" }

// ask sends a request and returns its data, and the text of its first refusal. It may
// be called by several goroutines.
func (w *world) ask(as, query string) (data map[string]any, refusal string, err error) {
	w.clock.Add(time.Second.Microseconds())
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return nil, "", err
	}
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", as)
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, request)
	var answer struct {
		Data   map[string]any
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || recorder.Code != http.StatusOK {
		return nil, "", fmt.Errorf("%s asks %s: answer %d %s", as, query, recorder.Code, recorder.Body)
	}
	if len(answer.Errors) > 0 {
		refusal = answer.Errors[0].Message
	}
	return answer.Data, refusal, nil
}

// settle delivers all events, and fails when a counter has drifted since.
func (w *world) settle() error {
	err := w.app.Outbox.Drain(context.Background())
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.drifts) > 0 {
		err = errors.Join(err, fmt.Errorf("counters drifted: %+v", slices.Clone(w.drifts)))
	}
	return err
}

// block and disable write what this version reads but has no mutation for.
func (w *world) block(t *testing.T, blocker, blocked string) {
	storetest.Block(t, w.calls, social.UserID(blocker), social.UserID(blocked))
}

func (w *world) disable(t *testing.T, id string) {
	profile := storetest.Get(t, w.calls, store.Main.Name, "user/"+id, "profile")
	if len(profile) == 0 {
		return
	}
	profile["userStatus"] = social.UserDisabled
	storetest.Put(t, w.calls, store.Main.Name, profile)
}
