package resolvers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/graph"
	"stoa/internal/apptest"
	"stoa/internal/kit/hostile"
	"stoa/internal/server"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
	. "stoa/social/socialtest"
)

// BenchmarkWorstDocuments checks the most expensive documents that the limits admit: the
// work that one request with an anonymous token can cause, which must stay below 50 ms.
func BenchmarkWorstDocuments(b *testing.B) {
	many := func(n int, text string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
		}
		return all.String()
	}
	for _, c := range []struct{ name, document string }{
		{"aliases", `{` + many(1900, ` a#:__typename`) + `}`},
		{"objects", `{` + many(1900, ` a#:self{userId}`) + `}`},
		{"arguments", `{` + many(1200, ` a#:user(userId:"x"){userId}`) + `}`},
		{"fragments", `{` + many(300, ` ...F#`) + `}` + many(300, ` fragment F# on Query{a#:self{userId}}`)},
		{"variables", `query(` + many(1200, ` $v#:ID!`) + `){` + many(600, ` a#:user(userId:$v#){__typename}`) + `}`},
		{"directives", `{__typename` + many(2000, ` @skip(if:true)`) + `}`},
		{"list", `mutation{setUserDetails(matchGenders:[` + many(14_000, ` MALE`) + `]){userId}}`},
		{"input objects", `{findContacts(contacts:[` + many(2400, ` {contactId:"x"}`) + `]){contactId}}`},
		{"unknown fields", `{` + many(1900, ` x#`) + `}`},
		{"operations", many(2800, ` query q#{__typename}`)},
		{"text", `{user(userId:"` + strings.Repeat("x", 1_900_000) + `"){userId}}`},
		{"block text", `{user(userId:"""` + strings.Repeat("\n x", 600_000) + `"""){userId}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := operation.New(operation.Config{
				Schema: graph.Executable(nil, graph.DirectiveRoot{}), Limits: server.DefaultLimits.Operation,
				Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
			})
			for i := 0; b.Loop(); i++ {
				// The comment keeps the document out of all caches.
				if _, errs := e.Prepare(b.Context(), &wire.Request{Query: fmt.Sprintf("#%d\n%s", i, c.document)}); i == 0 && len(errs) > 0 {
					b.Logf("refused: %.80s", errs[0].Message)
				}
			}
		})
	}
}

// BenchmarkWorstOperations runs the most expensive operations that the limits admit, with
// an anonymous token. Searches take the longest, up to 0.4 s of CPU time, so operations of
// one user take turns according to their cost.
func BenchmarkWorstOperations(b *testing.B) {
	w := apptest.Bench(b, System)
	w.Do(befriended(100)...)
	for i := range 100 {
		w.Do(Given{}.Post("friend00", fmt.Sprintf("many%02d", i), `keywords: ["key", "word"]`)...)
	}
	many := func(n int, text string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
		}
		return all.String()
	}
	w.ID("nobody")
	wide := many(400, ` a#:text`)
	for _, c := range []struct{ name, query string }{
		{"users", many(1200, ` a#:user(userId:"{ana}"){username}`)},
		{"users that are not there", many(1200, ` a#:user(userId:"x#"){username}`)},
		{"posts", many(1200, ` a#:post(postId:"post00"){text}`)},
		{"posts that are not there", many(1200, ` a#:post(postId:"x#"){text}`)},
		{"albums that are not there", many(1200, ` a#:album(albumId:"x#"){name}`)},
		{"searches for users", many(900, ` a#:searchUsers(searchToken:"friend"){items{username}}`)},
		{"searches for nobody", many(900, ` a#:searchUsers(searchToken:"x#",limit:1){nextToken}`)},
		{"searches for posts", many(900, ` a#:findPosts(keywords:"key"){items{text}}`)},
		{"searches for keywords", many(900, ` a#:searchKeywords(keyword:"ke")`)},
		{"similar posts", many(900, ` a#:similarPosts(postId:"many00"){items{text}}`)},
		{"trends", many(900, ` a#:trendingPosts(limit:1){items{text}}`)},
		{"trending users", many(480, ` a#:trendingUsers(limit:50){items{username}}`)},
		{"usernames", many(1200, ` a#:usernameStatus(username:"friend#")`)},
		{"a wide list", `user(userId:"{friend00}"){posts(limit:100){items{` + wide + `}}}`},
		{"lists", `user(userId:"{friend00}"){` + many(300, ` a#:posts(limit:50){items{text}}`) + `}`},
		{"many users' lists", many(480, ` a#:user(userId:"{friend00}"){posts(limit:50){items{text}}}`)},
		{"followers", many(480, ` a#:user(userId:"{ana}"){followedUsers(limit:50){items{username}}}`)},
	} {
		body, err := json.Marshal(map[string]string{"query": "{" + w.People.Fill(c.query) + "}"})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			began := hostile.CPU()
			defer func() { b.ReportMetric(float64((hostile.CPU()-began).Microseconds())/1000/float64(b.N), "cpu-ms/op") }()
			for i := 0; b.Loop(); i++ {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
				r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"nobody"}}
				answer := httptest.NewRecorder()
				w.Handler.ServeHTTP(answer, r)
				if i == 0 && (answer.Code != http.StatusOK || strings.Contains(answer.Body.String(), "COMPLEXITY_LIMIT_EXCEEDED")) {
					b.Fatalf("%d %.150s", answer.Code, answer.Body)
				}
			}
		})
	}
}
