package page_test

import (
	"errors"
	"strings"
	"testing"

	"stoa/internal/kit/page"
)

func TestScope(t *testing.T) {
	own := page.ScopeOf("groupUsers", "ana", "g1")
	token := own.Seal("here")
	if token == "" || own.Seal("") != "" {
		t.Fatalf("tokens %q and %q, want one and none", token, own.Seal(""))
	}
	q, err := own.Query(page.Args{NextToken: &token})
	if err != nil || q.After != "here" || q.First != page.Default {
		t.Errorf("got %+v, %v", q, err)
	}
	for name, c := range map[string]struct {
		scope page.Scope
		token string
	}{
		"another operation":         {page.ScopeOf("groupContainers", "ana", "g1"), token},
		"another caller":            {page.ScopeOf("groupUsers", "ben", "g1"), token},
		"another argument":          {page.ScopeOf("groupUsers", "ana", "g2"), token},
		"an argument cut elsewhere": {page.ScopeOf("groupUsers", "anag1"), token},
		"an empty token":            {own, ""},
		"no base64":                 {own, "!"},
		"a part of a token":         {own, token[:8]},
		"a cut token":               {own, own.Seal("here is more")[:16]},
		"a lengthened token":        {own, own.Seal("eel") + "AAAA"},
		"an altered token":          {own, strings.Replace(own.Seal("eel"), "ZWVs", "ZWVm", 1)},
		"a token without a mark":    {own, page.Scope{}.Seal("here")},
	} {
		if _, err := c.scope.Query(page.Args{NextToken: &c.token}); !errors.Is(err, page.ErrToken) {
			t.Errorf("%s: %v, want %v", name, err, page.ErrToken)
		}
	}
	zero := 0
	if _, err := own.Query(page.Args{Limit: &zero}); !errors.Is(err, page.ErrLimit) {
		t.Errorf("limit 0: %v", err)
	}
}
