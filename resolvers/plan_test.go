package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/internal/kit/gqlplan"
	"stoa/internal/kit/gqlplan/plantest"
	. "stoa/social/socialtest"
)

// counting is a schema that counts the plans it executes.
type counting struct {
	planner
	plans atomic.Int64
}

type planner = gqlplan.Schema

func (c *counting) AppendPlan(ctx context.Context, p *gqlplan.Plan, dst []byte) []byte {
	c.plans.Add(1)
	return c.planner.AppendPlan(ctx, p, dst)
}

// reference returns the schema as gqlgen executes it.
func reference(s graphql.ExecutableSchema) graphql.ExecutableSchema {
	return s.(interface {
		Reference() graphql.ExecutableSchema
	}).Reference()
}

// populated returns a world in which no list is empty.
func populated() Given {
	return Users("ana", "ben", "cleo!private", "dan", "eve").
		Follow("ana", "ben").Follow("ben", "ana").Follow("ana", "cleo").Follow("dan", "ben").Accept("cleo", "ana").
		Details("ben", `fullName: "Ben \"B\"", bio: "one\ntwo", likesDisabled: false`).
		Post("ana", "a1").Post("ben", "b1").Post("ben", "b2").Post("cleo", "c1").Post("dan", "d1").
		Post("dan", "d2", `text: "for @ana and @eve \t<&>"`, `keywords: ["x", "y"]`).
		Album("ana", "al1").Album("ben", "al2").IntoAlbum("ana", "a1", "al1").IntoAlbum("ben", "b1", "al2").IntoAlbum("ben", "b2", "al2").
		Comment("ana", "b1", "m1").Comment("ben", "b1", "m2").Comment("dan", "a1", "m3").
		Like("ben", "a1").LikeSecretly("dan", "a1").Like("ana", "b1").
		DirectChat("ana", "ben", "k1", "n1").Say("ben", "k1", "n2").DirectChat("dan", "ana", "k2", "n3").Say("dan", "k2", "n4").
		Block("eve", "ana").FlagPost("ana", "b2").ViewPost("ana", "b1")
}

// scalars are valid and invalid values of the scalars.
var scalars = map[string][]any{
	"AWSDate": {"2000-02-29", "2000-02-29Z", "2000-02-30"}, "AWSDateTime": {"2030-01-01T00:00:00Z", "2031-01-01T00:00:00.5+01:00"},
	"AWSEmail": {"a@example.com"}, "AWSPhone": {"+12025550123"},
}

// offered returns arguments that are mostly valid.
func offered(w *World) func(_, argument string) []any {
	return func(_, argument string) []any {
		switch argument {
		case "userId":
			return []any{string(w.ID("ana")), string(w.ID("ben")), string(w.ID("cleo")), string(w.ID("eve")), "nobody"}
		case "postId":
			return []any{"a1", "b1", "b2", "c1", "d2", "none"}
		case "postIds":
			return []any{[]any{"a1"}, []any{"b1", "b2", "b1"}, []any{"none"}}
		case "precedingPostId":
			return []any{"a1", "b1", "b2", nil}
		case "albumId":
			return []any{"al1", "al2", "new6", "new7", "none"}
		case "commentId":
			return []any{"m1", "m2", "m3", "new1", "new2"}
		case "chatId":
			return []any{"k1", "k2", "new1", "new2", "none"}
		case "messageId":
			return []any{"n1", "n2", "n4", "new3", "new4", "new5"}
		case "username":
			return []any{"ana", "Fresh.Name", "a b"}
		case "keywords":
			return []any{"x y", "y", " "}
		case "keyword":
			return []any{"x", ""}
		case "searchToken":
			return []any{"ana", "b", "ben dan", " "}
		case "contactId":
			return []any{"c1", "c2"}
		case "emails":
			return []any{[]any{"ben@example.com"}, []any{"dan@example.com", "nobody@example.com"}}
		case "phones":
			return []any{nil}
		case "limit":
			return []any{1, 2, 3, 20, 0}
		case "postType":
			return []any{"TEXT_ONLY"}
		case "imageInput":
			return []any{nil}
		case "text", "messageText":
			return []any{"hello @ben", "two\nlines"}
		case "nextToken":
			return []any{nil, nil, nil, "bad"}
		}
		return nil
	}
}

// told is a response with its errors in a fixed order, since the order between different
// fields is unspecified.
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

// TestRandomQueriesByPlan compares responses with and without plans over the same data.
func TestRandomQueriesByPlan(t *testing.T) {
	t.Parallel()
	Test(t, populated(), func(w *World) {
		planned := &counting{planner: w.Schema.(gqlplan.Schema)}
		byPlan, byGqlgen := w.Serve(planned), w.Serve(reference(w.Schema))
		var executed, refused, full int64
		for seed := range uint64(1500) {
			g := &plantest.Generator{
				Schema: w.Schema.Schema(), Rand: rand.New(rand.NewPCG(seed, 2)), Values: offered(w), Scalars: scalars, Depth: 2 + int(seed%6), Fields: 80,
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
		if executed < 1200 || planned.plans.Load() < executed || refused < 100 || full < 100 {
			t.Error("too few documents tell anything")
		}
	})
}

// endsUsers matches the mutations after which a user can do little else.
var endsUsers = regexp.MustCompile(`(deleteUser|disableUser|resetUser)\b`)

// TestRandomMutationsByPlan applies the same mutations to two equal worlds.
func TestRandomMutationsByPlan(t *testing.T) {
	t.Parallel()
	Test(t, populated(), func(left *World) {
		right := left.Another()
		right.Do(populated()...)
		planned := &counting{planner: left.Schema.(gqlplan.Schema)}
		byPlan, byGqlgen := left.Serve(planned), right.Serve(reference(right.Schema))
		asked, done := 0, 0
		for seed := uint64(0); done < 80 && seed < 4000; seed++ {
			g := &plantest.Generator{
				Schema: left.Schema.Schema(), Rand: rand.New(rand.NewPCG(seed, 3)), Values: offered(left), Scalars: scalars, Depth: 2 + int(seed%3), Fields: 15,
			}
			d, as := g.Mutation(), []string{"ana", "ben", "dan"}[seed%3]
			if endsUsers.MatchString(d.Text) {
				continue // soon nobody would be left to do anything
			}
			asked++
			left.Advance(time.Second)
			right.Advance(time.Second)
			got, want := tell(t, byPlan, as, d), tell(t, byGqlgen, as, d)
			if got.String() != want.String() {
				t.Fatalf("seed %d: %s asks %s %v\ngot  %s\nwant %s", seed, as, d.Text, d.Variables, got, want)
			}
			if bytes.Contains(want.Data, []byte(`":{`)) {
				done++
			}
			left.Settle()
			right.Settle()
		}
		t.Logf("%d of %d were executed by plan, %d changed something", planned.plans.Load(), asked, done)
		if int(planned.plans.Load()) < asked*19/20 || done < 80 {
			t.Error("too few documents tell anything")
		}
	})
}
