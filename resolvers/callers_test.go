package resolvers_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/social"
	"stoa/store/storetest"
)

// closedTo is what every mutation answers callers who may not use it, unless it is one
// of the exceptions.
var closedTo = []struct {
	name   string
	given  step
	closed string
	// but are the answers of mutations that do not ask who calls; empty for success.
	but map[string]string
}{
	{"without a profile", func(w *world) { w.identity("vic") }, "User `{vic}` does not exist",
		map[string]string{"createCognitoOnlyUser": "", "triggerNotification": "Access denied"}},
	{"disabled", has("vic", social.UserDisabled), "User `{vic}` is not ACTIVE",
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "triggerNotification": "Access denied"}},
	{"anonymous", has("vic", social.UserAnonymous), "User `{vic}` is not ACTIVE",
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "triggerNotification": "Access denied"}},
}

// Each mutation of the schema is closed to whoever is not an active user, and then
// writes nothing.
func TestMutationsAskWhoCalls(t *testing.T) {
	schema := newWorld(t).app.Schema.Schema()
	for _, c := range closedTo {
		for _, f := range schema.Mutation.Fields {
			t.Run(c.name+"/"+f.Name, func(t *testing.T) {
				w := newWorld(t)
				for _, prepare := range []step{users("hid"), posts("hid", "secretpost"), comments("hid", "secretpost", "secretcomment"), c.given} {
					prepare(w)
				}
				w.calls.Reset()
				a := w.ask("vic", mutationOf(t, schema, f))
				want, exception := c.but[f.Name]
				if !exception {
					want = c.closed
				}
				if want == "" {
					if len(a.Errors) > 0 {
						t.Errorf("refused: %v", a.Errors)
					}
					return
				}
				if len(a.Errors) != 1 || a.Errors[0].Message != w.named("ClientError: "+want) || a.Errors[0].ErrorType != "ClientError" {
					t.Errorf("answers %v, want %q", a.Errors, w.named(want))
				}
				if !exception && writes(w.calls) > 0 {
					t.Errorf("writes although it is refused: %v", w.calls)
				}
			})
		}
	}
}

// has makes a user with a status.
func has(name string, status social.UserStatus) step {
	return func(w *world) {
		users(name)(w)
		row := storetest.Get(w.t, w.calls, "main", "user/"+string(w.users[name]), "profile")
		row["userStatus"] = status
		storetest.Put(w.t, w.calls, "main", row)
	}
}

// mutationOf fills a mutation in with the first value of each argument it requires.
func mutationOf(t *testing.T, schema *ast.Schema, f *ast.FieldDefinition) string {
	t.Helper()
	args := required(t, f)
	return "mutation { " + nest([]*ast.FieldDefinition{f}, [][]string{args}, args[0], 0, "", "__typename") + " }"
}

// writes counts the calls that change something.
func writes(c *storetest.Calls) int {
	return c.Count("PutItem") + c.Count("UpdateItem") + c.Count("DeleteItem") + c.Count("BatchWriteItem") + c.Count("TransactWriteItems")
}
