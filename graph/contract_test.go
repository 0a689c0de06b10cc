package graph

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

var update = flag.Bool("update", false, "write schema.graphqls anew")

const contract = "../schema.graphqls"

func TestThePrintedContractIsFresh(t *testing.T) {
	if *update {
		if err := os.WriteFile(contract, []byte(SDL()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	printed, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	if string(printed) != SDL() {
		t.Error("schema.graphqls is not what graph/schema says: run make generate")
	}
}

func TestTheContractStandsAlone(t *testing.T) {
	if _, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: SDL()}); err != nil {
		t.Errorf("the printed contract does not parse: %v", err)
	}
	for _, name := range internal {
		if strings.Contains(SDL(), "@"+name) {
			t.Errorf("the printed contract mentions @%s", name)
		}
	}
}

func TestClientsFindTheDirectivesOfTheContractOnly(t *testing.T) {
	// The directives defined by GraphQL, and the one that stoa adds.
	known := []string{"include", "skip", "deprecated", "specifiedBy", "oneOf", "aws_subscribe"}
	found := slices.Collect(maps.Keys(Executable(nil, DirectiveRoot{}).Schema().Directives))
	slices.Sort(known)
	slices.Sort(found)
	if !slices.Equal(found, known) {
		t.Errorf("got %v, want %v", found, known)
	}
}

// builtIn reports whether a type is defined and described by the GraphQL library.
func builtIn(d *ast.Definition) bool { return d.BuiltIn || strings.HasPrefix(d.Name, "__") }

func TestEverythingInTheContractIsDescribed(t *testing.T) {
	for _, d := range NewExecutableSchema(Config{}).Schema().Types {
		if builtIn(d) {
			continue
		}
		if d.Description == "" {
			t.Errorf("%s has no description", d.Name)
		}
		for _, v := range d.EnumValues {
			if v.Description == "" {
				t.Errorf("%s.%s has no description", d.Name, v.Name)
			}
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			if f.Description == "" {
				t.Errorf("%s.%s has no description", d.Name, f.Name)
			}
			for _, a := range f.Arguments {
				if a.Description == "" {
					t.Errorf("%s.%s(%s) has no description", d.Name, f.Name, a.Name)
				}
			}
		}
	}
}

// What the schema calls deprecated is what no current app uses.
func TestWhatOlderAppsAloneUseIsDeprecated(t *testing.T) {
	want := []string{
		"Chat.messageCount", "Chat.userCount", "Mutation.triggerPostNotification",
		"Post.commentCount", "Post.hasNewCommentActivity", "Subscription.onPostNotification",
		"User.followedCount", "User.followerCount", "User.postsByNewCommentActivity",
	}
	var got []string
	for _, d := range NewExecutableSchema(Config{}).Schema().Types {
		for _, f := range d.Fields {
			if f.Directives.ForName("deprecated") != nil {
				got = append(got, d.Name+"."+f.Name)
			}
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// unchecked are the mutations open to callers without a profile or with any status.
var unchecked = map[string]bool{
	"createCognitoOnlyUser": true, // makes the profile that others need
	"createAnonymousUser":   true,
	"createAppleUser":       true,
	"createFacebookUser":    true,
	"createGoogleUser":      true,
	"resetUser":             true, // ways out that are open to everybody
	"disableUser":           true,
	"deleteUser":            true,

	// These refuse all callers.
	"triggerNotification":            true,
	"triggerCardNotification":        true,
	"triggerPostNotification":        true,
	"triggerChatMessageNotification": true,
	"lambdaClientError":              true,
	"lambdaServerError":              true,
	"dynamoServerError":              true,
}

func TestEveryMutationChecksItsCaller(t *testing.T) {
	for _, f := range NewExecutableSchema(Config{}).Schema().Mutation.Fields {
		if checked := f.Directives.ForName("caller") != nil; checked == unchecked[f.Name] {
			t.Errorf("%s: has @caller: %v, want %v", f.Name, checked, !unchecked[f.Name])
		}
	}
}
