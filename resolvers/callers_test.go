package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/graph"
	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

// unfit lists callers that few mutations admit.
var unfit = []struct {
	name   string
	given  Given
	status social.UserStatus
	// free are the responses of mutations that do not check the caller; empty for success.
	free map[string]string
}{
	{"without a profile", Given{}.Identity("vic"), "", map[string]string{
		"createCognitoOnlyUser": "", "resetUser": "", "disableUser": "User `{vic}` does not exist", "deleteUser": "User `{vic}` does not exist"}},
	{"disabled", Users("vic").Status("vic", social.UserDisabled), social.UserDisabled,
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "resetUser": "", "disableUser": "", "deleteUser": ""}},
	{"anonymous", Users("vic").Status("vic", social.UserAnonymous), social.UserAnonymous,
		map[string]string{"createCognitoOnlyUser": "User `{vic}` already exists", "resetUser": "Cannot reset user with status `ANONYMOUS`", "disableUser": "", "deleteUser": ""}},
}

// freeOf holds the responses, to all these callers, of mutations that do not check the
// caller.
var freeOf = map[string]string{
	"createAnonymousUser": "An account for userId `{vic}` already exists",
	"createAppleUser":     "apple does not vouch for text",
	"createFacebookUser":  "facebook does not vouch for text",
	"createGoogleUser":    "google does not vouch for text",
}

// Each mutation of the schema refuses callers whose status its @caller does not list, and
// then writes nothing. Mutations that feed subscriptions refuse all callers.
//
// chats 0.1#1-2, 5.1#9 and
// realtime 1#5-8
func TestMutationsAskWhoCalls(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema() // with the directives that clients do not see
	for _, c := range unfit {
		for _, f := range schema.Mutation.Fields {
			want, free := c.free[f.Name]
			if text, ok := freeOf[f.Name]; ok {
				want, free = text, true
			}
			if !free {
				var admitted bool
				if want, admitted = closedText(t, f, c.status); admitted {
					continue
				}
			}
			t.Run(c.name+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				given := Users("hid").Post("hid", "secretpost").Comment("hid", "secretpost", "secretcomment").And(c.given...)
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
					if !free && writes(w.Client) > 0 {
						w.T.Errorf("writes although it is refused: %v", w.Client)
					}
				})
			})
		}
	}
}

// chats 0.1#1-2: callers who lose their status before their change is stored are refused
// like those who have lost it before, where the change cannot be stored without it.
func TestCallersWhoLoseTheirStatusMeanwhile(t *testing.T) {
	given := Users("ana", "ben").Group("ben", "ana", "g1", "m1")
	for _, mutation := range []string{
		`createDirectChat(chatId: "c1", userId: "{ben}", messageId: "m2", messageText: "hi") { chatId }`,
		`createGroupChat(chatId: "c1", userIds: ["{ben}"], messageId: "m2", messageText: "hi") { chatId }`,
	} {
		for end, answer := range map[string]string{"disableUser": "User `{ana}` is not ACTIVE", "deleteUser": "User `{ana}` does not exist"} {
			Run(t, []Scenario{{Name: end, Given: given, Meanwhile: Given{}.Does("ana", "mutation { %s { userId } }", end), As: "ana",
				Query: "mutation { " + mutation + " }", Error: "ClientError: " + answer}})
		}
	}
}

// diagnostics lists mutations that fail for every caller.
var diagnostics = []string{"lambdaClientError", "lambdaServerError", "dynamoServerError"}

// closedText returns the error with which a mutation refuses callers of a status, "" for
// those without a profile, or reports that it admits them.
func closedText(t *testing.T, f *ast.FieldDefinition, status social.UserStatus) (text string, admitted bool) {
	caller := f.Directives.ForName("caller")
	if strings.HasPrefix(f.Name, "trigger") {
		return "Access denied", false
	}
	if slices.Contains(diagnostics, f.Name) {
		return "", true // fails for everybody
	}
	if caller == nil {
		t.Errorf("%s does not ask who calls: say in free what it answers", f.Name)
		return "", true
	}
	var statuses []string
	for _, s := range caller.Arguments.ForName("status").Value.Children {
		statuses = append(statuses, s.Value.Raw)
	}
	switch {
	case slices.Contains(statuses, string(status)):
		return "", true
	case status == "":
		return "User `{vic}` does not exist", false
	default:
		return "User `{vic}` is not " + strings.Join(statuses, " or "), false
	}
}

// mutationOf returns a mutation with the first value of each required argument.
func mutationOf(t *testing.T, schema *ast.Schema, f *ast.FieldDefinition) string {
	t.Helper()
	args := required(t, schema, f)
	selection := "__typename"
	if schema.Types[f.Type.Name()].IsLeafType() {
		selection = ""
	}
	return "mutation { " + nest([]*ast.FieldDefinition{f}, [][]string{args}, args[0], 0, "", selection) + " }"
}

// writes returns the number of calls that write.
func writes(c *faultdb.Client) int {
	return c.Count("PutItem") + c.Count("UpdateItem") + c.Count("DeleteItem") + c.Count("BatchWriteItem") + c.Count("TransactWriteItems")
}

// users T5: mutations that feed subscriptions refuse users of any kind, also for themselves.
func TestTriggersAreClosed(t *testing.T) {
	var scenarios []Scenario
	for mutation, input := range map[string]string{
		"triggerNotification":            `type: USER_FEED_CHANGED`,
		"triggerPostNotification":        `type: COMPLETED, postId: "p1", postStatus: COMPLETED`,
		"triggerCardNotification":        `type: ADDED, cardId: "c1", title: "t", action: "https://example.com"`,
		"triggerChatMessageNotification": `type: ADDED, messageId: "m1", chatId: "c1", text: "hi", textTaggedUserIds: [], createdAt: "2026-01-01T12:00:00.000Z"`,
	} {
		scenarios = append(scenarios, Scenario{
			Name: mutation, Given: Users("ana"), As: "ana", Query: `mutation { ` + mutation + `(input: {userId: "{ana}", ` + input + `}) { userId } }`,
			Error: "ClientError: Access denied",
		})
	}
	Run(t, scenarios)
}
