package resolvers_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/host"
	"stoa/internal/kit/refusal"
	"stoa/internal/server"
	"stoa/social"
	"stoa/social/app"
	"stoa/store"
	"stoa/store/storetest"
)

// world is the whole service on an empty engine, reached through its real handler.
// Its clock moves by a second with each request, and its users are called by name:
// wherever a text holds {ana}, ana's id is meant.
type world struct {
	t       testing.TB
	app     served
	handler http.Handler
	calls   *storetest.Calls
	now     time.Time
	ids     int
	users   map[string]social.UserID
}

// served is the assembled service.
type served struct {
	*host.Host
	host.Face
	Store *store.Store
}

func newWorld(t testing.TB, options ...app.Options) *world {
	t.Helper()
	s, calls := storetest.Open(t)
	return worldOn(t, s, calls, nil, prometheus.NewRegistry(), options...)
}

// worldOn is the service on a given store, with a line in log for each operation. Calls
// may be nil where nothing looks at them.
func worldOn(t testing.TB, s *store.Store, calls *storetest.Calls, log *slog.Logger, registry *prometheus.Registry, options ...app.Options) *world {
	t.Helper()
	w := &world{t: t, calls: calls, now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), users: map[string]social.UserID{}}
	config := host.Config{
		DB:       s.DB,
		Wait:     time.Minute,
		Holder:   "test",
		External: vouchers{w},
		Now:      func() time.Time { return w.now },
		NewID:    w.newID,
		Random:   rand.Reader,
		Log:      slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		Registry: registry,
	}
	var o app.Options
	for _, o = range options { // one at most
	}
	h, err := host.New(context.Background(), config, app.System(o))
	if err != nil {
		t.Fatal(err)
	}
	w.app = served{h, h.Face(app.Name), s}
	w.handler, err = server.New(server.Config{
		Systems:       []server.System{{Name: "social", Path: "/graphql", Schema: w.app.Schema, OperationContext: w.app.OperationContext}},
		Authenticator: w.app.Authenticator,
		Introspection: true,
		Log:           log,
		Registry:      registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) newID() string {
	w.ids++
	return fmt.Sprintf("00000000-0000-4000-9000-%012d", w.ids)
}

// vouchers vouch for whoever is called by name: names are tokens.
type vouchers struct{ w *world }

func (v vouchers) Authenticate(_ context.Context, authorization string) (social.UserID, error) {
	id, ok := v.w.users[authorization]
	if !ok {
		return "", refusal.Forbiddenf("nobody vouches for %q", authorization)
	}
	return id, nil
}

func (v vouchers) Account(_ context.Context, id social.UserID) (email, phone string, found bool, err error) {
	for name, known := range v.w.users {
		if known == id && name != "stranger" {
			return name + "@example.com", "", true, nil
		}
	}
	return "", "", false, nil
}

// identity makes an identity without a profile.
func (w *world) identity(name string) {
	w.users[name] = social.UserID(fmt.Sprintf("us-east-1:00000000-0000-4000-8000-%012d", len(w.users)+1))
}

// named puts ids in the places of names.
func (w *world) named(text string) string {
	for name, id := range w.users {
		text = strings.ReplaceAll(text, "{"+name+"}", string(id))
	}
	return text
}

// answer is a GraphQL answer.
type answer struct {
	Data   json.RawMessage
	Errors []struct{ Message, ErrorType string }
}

// ask sends a request as the named user.
func (w *world) ask(as, query string) answer {
	w.t.Helper()
	w.now = w.now.Add(time.Second)
	body, err := json.Marshal(map[string]string{"query": w.named(query)})
	if err != nil {
		w.t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", as)
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, request)
	var a answer
	if err := json.Unmarshal(recorder.Body.Bytes(), &a); err != nil || recorder.Code != http.StatusOK {
		w.t.Fatalf("%s asks %s: answer %d %s", as, query, recorder.Code, recorder.Body)
	}
	return a
}

// must asks and fails the test when anything is refused.
func (w *world) must(as, query string) answer {
	w.t.Helper()
	a := w.ask(as, query)
	if len(a.Errors) > 0 {
		w.t.Fatalf("%s asks %s: %v", as, query, a.Errors)
	}
	return a
}

// settle delivers all events, as the running service does on its own.
func (w *world) settle() {
	w.t.Helper()
	if err := w.app.Outbox.Drain(context.Background()); err != nil {
		w.t.Fatal(err)
	}
}

// pending counts the events that were stored since the last settle, by name.
func (w *world) pending() map[string]int {
	w.t.Helper()
	kinds := map[string]int{}
	for _, e := range storetest.Pending(w.t, w.app.Store) {
		kinds[e.Name]++
	}
	return kinds
}

// step prepares a world for a scenario.
type step func(*world)

// users creates profiles, followed by ! for private ones.
func users(names ...string) step {
	return func(w *world) {
		for _, name := range names {
			name, private := strings.CutSuffix(name, "!")
			w.identity(name)
			w.must(name, fmt.Sprintf(`mutation { createCognitoOnlyUser(username: %q) { userId } }`, name))
			if private {
				w.must(name, `mutation { setUserDetails(privacyStatus: PRIVATE) { userId } }`)
			}
		}
	}
}

// does sends a request that succeeds and delivers what it causes.
func does(name, query string) step {
	return func(w *world) {
		w.must(name, query)
		w.settle()
	}
}

func follows(follower, followed string) step {
	return does(follower, fmt.Sprintf(`mutation { followUser(userId: "{%s}") { userId } }`, followed))
}

func posts(owner, id string) step {
	return does(owner, fmt.Sprintf(`mutation { addPost(postId: %q, postType: TEXT_ONLY, text: "text of %s") { postId } }`, id, id))
}

func comments(author, postID, id string) step {
	return does(author, fmt.Sprintf(`mutation { addComment(commentId: %q, postId: %q, text: "text of %s") { commentId } }`, id, postID, id))
}

// blocks, flags and views write rows that this version reads but has no mutation for.
func blocks(blocker, blocked string) step {
	return func(w *world) { storetest.Block(w.t, w.calls, w.users[blocker], w.users[blocked]) }
}

func flags(flagger, postID string) step {
	return func(w *world) {
		storetest.Put(w.t, w.calls, "main", map[string]any{
			"partitionKey": "post/" + postID, "sortKey": "flag/" + string(w.users[flagger]), "schemaVersion": 0,
			"createdAt": stamp(w.now), "gsiK1PartitionKey": "flag/" + string(w.users[flagger]), "gsiK1SortKey": "post",
		})
	}
}

func views(viewer, postID string) step {
	return func(w *world) {
		storetest.Put(w.t, w.calls, "main", map[string]any{
			"partitionKey": "post/" + postID, "sortKey": "view/" + string(w.users[viewer]), "schemaVersion": 0,
			"firstViewedAt": stamp(w.now), "lastViewedAt": stamp(w.now), "viewCount": 1, "thumbnailViewCount": 1,
		})
	}
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000Z") }

// scenario is one request and everything that comes of it.
// compare fails the test when data is not the wanted JSON, whatever its layout.
func (w *world) compare(data json.RawMessage, want string) {
	w.t.Helper()
	var wanted bytes.Buffer
	if err := json.Compact(&wanted, []byte(w.named(want))); err != nil {
		w.t.Fatalf("wanted JSON: %v", err)
	}
	if string(data) != wanted.String() {
		w.t.Errorf("data = %s\nwant   %s", data, wanted.String())
	}
}

// pages reads a list to its end and returns the items of each page. The query has a
// %s behind its other arguments; path leads to the list.
func (w *world) pages(as, query string, path ...string) string {
	w.t.Helper()
	var pages []string
	for after := ""; ; {
		data := w.must(as, fmt.Sprintf(query, after)).Data
		for _, name := range path {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(data, &object); err != nil {
				w.t.Fatal(err)
			}
			data = object[name]
		}
		var list struct {
			Items     json.RawMessage
			NextToken *string
		}
		if err := json.Unmarshal(data, &list); err != nil {
			w.t.Fatal(err)
		}
		pages = append(pages, string(list.Items))
		if list.NextToken == nil {
			return strings.Join(pages, " ")
		}
		after = fmt.Sprintf(", nextToken: %q", *list.NextToken)
	}
}
