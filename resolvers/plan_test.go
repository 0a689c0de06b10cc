package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/gqlplan/plantest"
	"stoa/internal/server"
)

// counting is a schema that counts how often it executes a plan.
type counting struct {
	planner
	plans atomic.Int64
}

type planner = gqlplan.Schema

func (c *counting) AppendPlan(ctx context.Context, p *gqlplan.Plan, dst []byte) []byte {
	c.plans.Add(1)
	return c.planner.AppendPlan(ctx, p, dst)
}

// unplanned hides from the server that a schema could execute plans.
type unplanned struct{ graphql.ExecutableSchema }

// handlerOf serves the world's app by another schema.
func (w *world) handlerOf(schema graphql.ExecutableSchema) http.Handler {
	w.t.Helper()
	s, err := server.New(server.Config{
		Systems:       []server.System{{Name: "social", Path: "/graphql", Schema: schema, OperationContext: w.app.OperationContext}},
		Authenticator: w.app.Authenticator, Introspection: true,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// populated is a world in which every list holds something.
func populated(t *testing.T) *world {
	w := newWorld(t)
	for _, prepare := range []step{
		users("ana", "ben", "cleo!", "dan", "eve"),
		follows("ana", "ben"), follows("ben", "ana"), follows("ana", "cleo"), follows("dan", "ben"),
		does("cleo", `mutation { acceptFollowerUser(userId: "{ana}") { userId } }`),
		does("ben", `mutation { setUserDetails(fullName: "Ben \"B\"", bio: "one\ntwo", likesDisabled: false) { userId } }`),
		posts("ana", "a1"), posts("ben", "b1"), posts("ben", "b2"), posts("cleo", "c1"), posts("dan", "d1"),
		does("dan", `mutation { addPost(postId: "d2", postType: TEXT_ONLY, text: "for @ana and @eve \t<&>", keywords: ["x", "y"]) { postId } }`),
		comments("ana", "b1", "m1"), comments("ben", "b1", "m2"), comments("dan", "a1", "m3"),
		does("ben", `mutation { onymouslyLikePost(postId: "a1") { postId } }`), does("dan", `mutation { anonymouslyLikePost(postId: "a1") { postId } }`),
		does("ana", `mutation { onymouslyLikePost(postId: "b1") { postId } }`),
		blocks("eve", "ana"), flags("ana", "b2"), views("ana", "b1"),
	} {
		prepare(w)
	}
	w.settle()
	return w
}

// offered are arguments that mostly lead somewhere.
func (w *world) offered(_, argument string) []any {
	switch argument {
	case "userId":
		return []any{string(w.users["ana"]), string(w.users["ben"]), string(w.users["cleo"]), string(w.users["eve"]), "nobody"}
	case "postId":
		return []any{"a1", "b1", "b2", "c1", "d2", "none"}
	case "commentId":
		return []any{"m1", "m2", "m3", "new1", "new2"}
	case "username":
		return []any{"ana", "Fresh.Name", "a b"}
	case "limit":
		return []any{1, 2, 3, 20, 0}
	case "postType":
		return []any{"TEXT_ONLY"}
	case "imageInput":
		return []any{nil}
	case "text":
		return []any{"hello @ben", "two\nlines"}
	case "nextToken":
		return []any{nil, nil, nil, "bad"}
	}
	return nil
}

// told is an answer with its errors in a fixed order: that of different fields is open.
type told struct {
	Data   json.RawMessage
	Errors []json.RawMessage
}

func tell(t *testing.T, h http.Handler, as string, d plantest.Document) (a told) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": d.Text, "variables": d.Variables})
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", as)
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	if err := json.Unmarshal(recorder.Body.Bytes(), &a); err != nil {
		t.Fatalf("%v: %s", err, recorder.Body)
	}
	slices.SortFunc(a.Errors, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
	return a
}

func (a told) String() string { return fmt.Sprintf("%s %s", a.Data, a.Errors) }

// TestRandomQueriesByPlan compares answers with and without plans over the same data.
func TestRandomQueriesByPlan(t *testing.T) {
	w := populated(t)
	planned := &counting{planner: w.app.Schema.(gqlplan.Schema)}
	byPlan, byGqlgen := w.handlerOf(planned), w.handlerOf(unplanned{w.app.Schema})
	var executed, refused, full int64
	for seed := range uint64(1500) {
		g := &plantest.Generator{
			Schema: w.app.Schema.Schema(), Rand: rand.New(rand.NewPCG(seed, 2)), Values: w.offered, Depth: 2 + int(seed%6), Fields: 40,
		}
		d, as := g.Query(), []string{"ana", "ben", "dan"}[seed%3]
		got, want := tell(t, byPlan, as, d), tell(t, byGqlgen, as, d)
		if got.String() != want.String() {
			t.Fatalf("seed %d: %s asks %s %v\ngot  %s\nwant %s", seed, as, d.Text, d.Variables, got, want)
		}
		if len(want.Errors) == 0 || !bytes.Contains(want.Errors[0], []byte(`"ValidationError"`)) {
			executed++
		}
		if len(want.Errors) > 0 {
			refused++
		}
		if len(want.Data) > 500 {
			full++
		}
	}
	t.Logf("%d were executed, %d by plan; %d had errors, %d were long", executed, planned.plans.Load(), refused, full)
	if executed < 1200 || planned.plans.Load() < executed || refused < 100 || full < 200 {
		t.Error("too few documents tell anything")
	}
}

// TestRandomMutationsByPlan lets the same mutations happen to two equal worlds.
func TestRandomMutationsByPlan(t *testing.T) {
	left, right := populated(t), populated(t)
	planned := &counting{planner: left.app.Schema.(gqlplan.Schema)}
	byPlan, byGqlgen := left.handlerOf(planned), right.handlerOf(unplanned{right.app.Schema})
	done := 0
	for seed := range uint64(400) {
		g := &plantest.Generator{
			Schema: left.app.Schema.Schema(), Rand: rand.New(rand.NewPCG(seed, 3)), Values: left.offered, Depth: 2 + int(seed%3), Fields: 15,
		}
		d, as := g.Mutation(), []string{"ana", "ben", "dan"}[seed%3]
		left.now, right.now = left.now.Add(1e9), right.now.Add(1e9)
		got, want := tell(t, byPlan, as, d), tell(t, byGqlgen, as, d)
		if got.String() != want.String() {
			t.Fatalf("seed %d: %s asks %s %v\ngot  %s\nwant %s", seed, as, d.Text, d.Variables, got, want)
		}
		if bytes.Contains(want.Data, []byte(`":{`)) {
			done++
		}
		left.settle()
		right.settle()
	}
	t.Logf("%d of %d were executed by plan, %d changed something", planned.plans.Load(), 400, done)
	if planned.plans.Load() < 380 || done < 80 {
		t.Error("too few documents tell anything")
	}
}
