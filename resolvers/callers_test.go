package resolvers_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/graph"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

// closedTo is what every mutation answers callers who may not use it, unless it is one
// of the exceptions.
var closedTo = []struct {
	name   string
	given  Given
	closed string
	// but are the answers of mutations that do not ask who calls; empty for success.
	but map[string]string
}{
	{"without a profile", Given{}.Identity("vic"), "User `{vic}` does not exist",
		map[string]string{"createCognitoOnlyUser": "", "triggerNotification": "Access denied"}},
	{"disabled", Users("vic").Status("vic", social.UserDisabled), "User `{vic}` is not ACTIVE",
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "triggerNotification": "Access denied"}},
	{"anonymous", Users("vic").Status("vic", social.UserAnonymous), "User `{vic}` is not ACTIVE",
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "triggerNotification": "Access denied"}},
}

// Each mutation of the schema is closed to whoever is not an active user, and then
// writes nothing.
func TestMutationsAskWhoCalls(t *testing.T) {
	schema := graph.Executable(nil, graph.DirectiveRoot{}).Schema()
	for _, c := range closedTo {
		for _, f := range schema.Mutation.Fields {
			t.Run(c.name+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				given := Users("hid").Post("hid", "secretpost").Comment("hid", "secretpost", "secretcomment").And(c.given...)
				want, exception := c.but[f.Name]
				if !exception {
					want = c.closed
				}
				Test(t, given, func(w *World) {
					w.Client.Reset()
					a := w.Ask("vic", mutationOf(t, schema, f))
					if want == "" {
						if len(a.Errors) > 0 {
							w.T.Errorf("refused: %v", a.Errors)
						}
						return
					}
					if len(a.Errors) != 1 || a.Errors[0].Message != w.People.Fill("ClientError: "+want) || a.Errors[0].ErrorType != "ClientError" {
						w.T.Errorf("answers %v, want %q", a.Errors, w.People.Fill(want))
					}
					if !exception && writes(w.Client) > 0 {
						w.T.Errorf("writes although it is refused: %v", w.Client)
					}
				})
			})
		}
	}
}

// mutationOf fills a mutation in with the first value of each argument it requires.
func mutationOf(t *testing.T, schema *ast.Schema, f *ast.FieldDefinition) string {
	t.Helper()
	args := required(t, schema, f)
	return "mutation { " + nest([]*ast.FieldDefinition{f}, [][]string{args}, args[0], 0, "", "__typename") + " }"
}

// writes counts the calls that change something.
func writes(c *faultdb.Client) int {
	return c.Count("PutItem") + c.Count("UpdateItem") + c.Count("DeleteItem") + c.Count("BatchWriteItem") + c.Count("TransactWriteItems")
}
