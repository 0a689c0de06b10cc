package resolvers_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/graph"
	"stoa/internal/server"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// BenchmarkWorstDocuments checks documents that are as dear as the limits let them be: what
// somebody with no more than an anonymous token can make the server do with one request,
// which is to stay below 50 ms.
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
				// A comment makes a document that no cache knows.
				if _, errs := e.Prepare(b.Context(), &wire.Request{Query: fmt.Sprintf("#%d\n%s", i, c.document)}); i == 0 && len(errs) > 0 {
					b.Logf("refused: %.80s", errs[0].Message)
				}
			}
		})
	}
}
