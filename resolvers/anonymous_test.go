package resolvers_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// Anonymous identities can run the widest documents of apps, which request a user with all
// lists.
func TestAnonymousCallersAskForWholeUsers(t *testing.T) {
	Test(t, Users("ana"), func(w *World) {
		w.People.Identity("nobody", apptest.Account{})
		whole := whole(w.Schema.Schema(), "User", 2)
		for as, query := range map[string]string{
			"ana":    `{ self ` + whole + ` }`,
			"nobody": `query($id: ID!) { user(userId: $id) ` + whole + ` }`,
		} {
			a := w.Asks(as, query, apptest.Vars{"id": w.ID("ana")})
			for _, e := range a.Errors {
				if e.Extensions.Code == "COMPLEXITY_LIMIT_EXCEEDED" {
					t.Errorf("%s: %s", as, e)
				}
			}
		}
	})
}

// whole returns a selection of all fields of a type and of the given number of levels of
// objects below it, with __typename everywhere.
func whole(schema *ast.Schema, name string, levels int) string {
	var all strings.Builder
	all.WriteString("{ __typename")
	for _, f := range schema.Types[name].Fields {
		switch below := schema.Types[f.Type.Name()]; {
		case f.Name[0] == '_' || len(f.Arguments) > 0 && f.Arguments[0].Type.NonNull:
		case below.IsLeafType():
			all.WriteString(" " + f.Name)
		case levels > 0:
			all.WriteString(" " + f.Name + " " + whole(schema, below.Name, levels-1))
		}
	}
	return all.String() + " }"
}
