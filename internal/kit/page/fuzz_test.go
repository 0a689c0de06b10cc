package page_test

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
	"stoa/internal/kit/page"
)

// FuzzTokens searches for page tokens that are expensive to refuse, and for tokens that a list
// accepts although it never returned them.
func FuzzTokens(f *testing.F) {
	scope := page.ScopeOf("posts", "ana", "x")
	good := scope.Seal("2026-01-02|post")
	for _, token := range []string{
		"", good, good[:12], good + "=", " " + good, page.ScopeOf("posts", "ben", "x").Seal("2026-01-02|post"),
		strings.Repeat("A", hostile.Size), strings.Repeat("\n", hostile.Size), good + strings.Repeat("\r\n", hostile.Size/2-20), strings.Repeat("=", hostile.Size),
	} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		hostile.Check(t, token, func() {
			q, err := scope.Query(page.Args{NextToken: &token})
			if err != nil || q.After == "" {
				return
			}
			if sealed := scope.Seal(q.After); sealed != strings.NewReplacer("\r", "", "\n", "").Replace(token) {
				t.Errorf("%q is accepted like %q", token, sealed)
			}
		})
	})
}
