package page_test

import (
	"errors"
	"testing"

	"stoa/internal/kit/page"
)

func TestScope(t *testing.T) {
	own := page.ScopeOf("groupUsers", "ana", "g1")
	token := own.Token("here")
	if token == nil || own.Token("") != nil {
		t.Fatalf("tokens %v and %v, want one and none", token, own.Token(""))
	}
	q, err := own.Query(page.Args{NextToken: token})
	if err != nil || q.After != "here" || q.First != page.Default {
		t.Errorf("got %+v, %v", q, err)
	}
	empty, broken, torn := "", "!", (*token)[:8]
	for name, c := range map[string]struct {
		scope page.Scope
		token *string
	}{
		"another operation":         {page.ScopeOf("groupContainers", "ana", "g1"), token},
		"another caller":            {page.ScopeOf("groupUsers", "ben", "g1"), token},
		"another argument":          {page.ScopeOf("groupUsers", "ana", "g2"), token},
		"an argument cut elsewhere": {page.ScopeOf("groupUsers", "anag1"), token},
		"an empty token":            {own, &empty},
		"no base64":                 {own, &broken},
		"a part of a token":         {own, &torn},
		"a token without a mark":    {own, page.Scope{}.Token("here")},
	} {
		if _, err := c.scope.Query(page.Args{NextToken: c.token}); !errors.Is(err, page.ErrToken) {
			t.Errorf("%s: %v, want %v", name, err, page.ErrToken)
		}
	}
	zero := 0
	if _, err := own.Query(page.Args{Limit: &zero}); !errors.Is(err, page.ErrLimit) {
		t.Errorf("limit 0: %v", err)
	}
}
