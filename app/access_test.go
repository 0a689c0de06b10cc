package app_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/apptest"
	"stoa/internal/kit/gqlplan"
	"stoa/internal/operator"
	. "stoa/social/socialtest"
)

var update = flag.Bool("update", false, "rewrite docs/operator-access.md")

// Who may use a member of the operator API.
const (
	staff     = "moderators and operators"
	operators = "operators"
)

// access has every member of the operator API. A new one fails until it is here.
var access = map[string]string{
	"Query.me": staff, "Query.cases": staff, "Query.case": staff, "Query.people": staff, "Query.person": staff,
	"Query.rules": staff, "Query.templates": staff, "Query.statistics": staff,
	"Query.audit": operators, "Query.jobs": operators, "Query.health": operators, "Query.settings": operators, "Query.tables": operators,
	"Query.items": operators, "Query.backups": operators, "Query.checks": operators, "Query.figures": operators,

	"Mutation.decideCase": staff, "Mutation.suspendPerson": staff, "Mutation.reinstatePerson": staff, "Mutation.signOutPerson": staff,
	"Mutation.noteOnPerson": staff, "Mutation.claimCase": staff, "Mutation.decideCases": staff, "Mutation.replyToAppeal": staff,
	"Mutation.saveTemplate": staff, "Mutation.removeTemplate": staff,
	"Mutation.startBackup": operators, "Mutation.startCheck": operators, "Mutation.redeliver": operators,
	"Mutation.erasePerson": operators, "Mutation.exportPerson": operators, "Mutation.grantRole": operators, "Mutation.revokeRole": operators, "Mutation.runJob": operators,

	"Subscription.caseOpened": staff, "Subscription.caseChanged": staff, "Subscription.checkProgressed": operators,
}

// accessArguments are those of members that samples of their types do not fit.
var accessArguments = map[string]string{}

// callers are those who ask, in the order of the table.
var callers = []string{"nobody", "anonymous", "user", "suspended", "revoked", "moderator", "operator"}

// operator 1#3 and 2#1: who may use which member of the API; docs/operator-access.md shows it.
func TestAccessIsFresh(t *testing.T) {
	schema := gqlplan.Contract(operator.Contract)()
	var members []string
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				members = append(members, root.Name+"."+f.Name)
			}
		}
	}
	for name := range access {
		if !slices.Contains(members, name) {
			t.Errorf("%s is not in the schema", name)
		}
	}
	var table strings.Builder
	table.WriteString(accessHead)
	TestStaffed(t, Users("user", "suspended", "revoked", "mod", "ozzy"), func(w *World) {
		w.People.Identity("anonymous", apptest.Account{})
		w.OperatorDoes("ozzy", `mutation { grantRole(userId: "{revoked}", role: MODERATOR) { id } }`)
		w.OperatorDoes("ozzy", `mutation { revokeRole(userId: "{revoked}", role: MODERATOR) { id } }`)
		w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{suspended}", "r": "x"})
		tokens := map[string]string{"nobody": "", "moderator": "mod", "operator": "ozzy"}
		for _, member := range members {
			root, name, _ := strings.Cut(member, ".")
			may := access[member]
			if may == "" {
				t.Errorf("%s is new: say in access who may use it", member)
			}
			query := sampleOf(schema, schema.Types[root].Fields.ForName(name), root, accessArguments[member])
			fmt.Fprintf(&table, "| `%s` |", member)
			for _, caller := range callers {
				as, known := tokens[caller]
				if !known {
					as = caller
				}
				admitted := isAdmitted(w.OperatorAsks(as, query))
				if member == "Subscription.checkProgressed" && admitted { // over HTTP, subscriptions do not begin
					_, err := w.Host.Desk.Service.CheckProgressed(w.OperatorContext(as))
					admitted = err == nil
				}
				if want := caller == "operator" || caller == "moderator" && may == staff; admitted != want {
					t.Errorf("%s: %s is admitted: %t, want %t", member, caller, admitted, want)
				}
				fmt.Fprintf(&table, " %s |", map[bool]string{true: "yes", false: "-"}[admitted])
			}
			table.WriteString("\n")
		}
	})
	const file = "../docs/operator-access.md"
	if *update {
		if err := os.WriteFile(file, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != table.String() {
		t.Errorf("%s is stale: go test ./app -run Fresh -update", file)
	}
}

const accessHead = `<!-- Generated: go test ./app -run AccessIsFresh -update -->

# Who may use the operator API

Every member of [schema.graphqls](../internal/operator/schema.graphqls), as asked by: nobody (without a token), an anonymous
identity, a user, a suspended user, a former moderator, a moderator and an operator. Callers without access get FORBIDDEN with errorInfo
` + "`[\"NOT_OPERATOR\"]`" + `. To moderators, ` + "`Person.email` and `Person.phone` are masked, and `Person.sessions` is empty." + `

| member | nobody | anonymous | user | suspended | revoked | moderator | operator |
| --- | --- | --- | --- | --- | --- | --- | --- |
`

// isAdmitted reports whether somebody got further than the check of roles, even if what they
// asked for does not exist.
func isAdmitted(a apptest.Answer) bool {
	return !slices.ContainsFunc(a.Errors, func(e apptest.Error) bool {
		return slices.Contains(e.ErrorInfo, "NOT_OPERATOR") || e.Extensions.Code == "HTTP 401"
	})
}

// sampleOf returns an operation with one field of a root type.
func sampleOf(schema *ast.Schema, f *ast.FieldDefinition, root, arguments string) string {
	var given []string
	for _, a := range f.Arguments {
		if a.Type.NonNull {
			given = append(given, a.Name+": "+sampleValue(schema, a.Type))
		}
	}
	if arguments == "" && len(given) > 0 {
		arguments = "(" + strings.Join(given, ", ") + ")"
	}
	selection := ""
	if schema.Types[f.Type.Name()].IsCompositeType() {
		selection = " { __typename }"
	}
	return strings.ToLower(root) + " { " + f.Name + arguments + selection + " }"
}

func sampleValue(schema *ast.Schema, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + sampleValue(schema, t.Elem) + "]"
	}
	definition := schema.Types[t.Name()]
	switch {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == ast.InputObject:
		var fields []string
		for _, f := range definition.Fields {
			if f.Type.NonNull {
				fields = append(fields, f.Name+": "+sampleValue(schema, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case t.Name() == "Int":
		return "1"
	case t.Name() == "Boolean":
		return "false"
	default:
		return `"nobody"`
	}
}
