package resolvers_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/apptest"
	"stoa/social"
	. "stoa/social/socialtest"
)

var update = flag.Bool("update", false, "rewrite docs/visibility.md and docs/costs.md")

// gate is an audience of user fields.
type gate string

const (
	everybody  gate = "everybody"
	notBlocked gate = "all whom the user does not block"
	published  gate = "those who see what the user publishes"
	unhidden   gate = "those who see what the user publishes, unless counts are hidden"
	oneself    gate = "the user alone"
	chatting   gate = "who has a direct chat with the user"
)

// gateTags has the gates by the tag seen of stored fields.
var gateTags = map[string]gate{"everybody": everybody, "unlessBlocked": notBlocked, "published": published, "unhidden": unhidden, "self": oneself}

// gates lists the fields of User that are not stored by audience (docs/rules/users.md). New
// fields of the schema get a tag in social.User, or are declared by show.
var gates = map[gate][]string{
	everybody:  {"followedStatus", "followerStatus", "blockedStatus", "blockerStatus", "matchStatus"},
	notBlocked: {"photo", "onymouslyLikedPosts"},
	published:  {"stories", "posts"},
	unhidden:   {"followedsCount", "followersCount", "followedUsers", "followerUsers"},
	oneself: {
		"followedUsersWithStories", "blockedUsers", "matchedUsers", "feed", "postsWithUnviewedComments", "postsByNewCommentActivity",
		"anonymouslyLikedPosts", "cards", "chats",
	},
	chatting: {"directChat"},
}

// sets give a user values in fields that show declares.
var sets []func(g Given, name string) Given

// show declares a field of User in an init function of an area's own test: who can see it, and how a
// user gets a value in it.
func show(to gate, field string, set func(g Given, name string) Given) {
	gates[to], sets = append(gates[to], field), append(sets, set)
}

// gatesOf returns the gates of each field: those of stored fields by their tags, of others
// as listed.
func gatesOf(t testing.TB) map[string][]gate {
	of := map[string][]gate{}
	for g, fields := range gates {
		for _, name := range fields {
			of[name] = append(of[name], g)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[social.User]()) {
		seen, ok := f.Tag.Lookup("seen")
		if !ok {
			continue
		}
		g, known := gateTags[seen]
		if !known {
			t.Errorf("field %s of social.User is seen by %q, which is no gate", f.Name, seen)
		}
		name, _, _ := strings.Cut(f.Tag.Get("dynamo"), ",")
		of[name] = append(of[name], g)
	}
	return of
}

// Every field of User in the schema has one gate, and every gate is that of such a field.
func TestFieldsOfUserHaveOneGate(t *testing.T) {
	Test(t, nil, func(w *World) {
		of := gatesOf(t)
		for _, f := range w.Schema.Schema().Types["User"].Fields {
			if n := len(of[f.Name]); n != 1 && !strings.HasPrefix(f.Name, "__") {
				t.Errorf("User.%s has %d gates, want one: say in social.User or, unless it is stored, in gates who sees it", f.Name, n)
			}
			delete(of, f.Name)
		}
		for name := range of {
			t.Errorf("%s has a gate, but is no field of User", name)
		}
	})
}

// looking is a kind of viewer, by their relation to a user called hid.
type looking struct {
	name, is string
	// comes establishes the relation, after all users have signed up.
	comes func(g Given) Given
	// public and private are the open gates of a public and of a private user.
	public, private []gate
	// privateOnly is set if the relation only exists with private users.
	privateOnly bool
}

var (
	open   = []gate{everybody, notBlocked, published, unhidden}
	closed = []gate{everybody, notBlocked}
)

// lookers lists all kinds of viewers.
var lookers = []looking{
	{"hid", "self", nil, append(open, oneself), append(open, oneself), false},
	{"fol", "follower", func(g Given) Given { return g.Follow("fol", "hid") }, open, open, false},
	{"req", "requested", func(g Given) Given { return g.Follow("req", "hid") }, nil, closed, true},
	{"den", "denied", func(g Given) Given { return g.Follow("den", "hid").Deny("hid", "den") }, open, closed, false},
	{"str", "stranger", nil, open, closed, false},
	{"pen", "stranger with a direct chat", func(g Given) Given { return g.DirectChat("pen", "hid", "k", "n") }, append(open, chatting), append(closed, chatting), false},
	{"vic", "blocked by the user", func(g Given) Given {
		return g.Follow("vic", "hid").DirectChat("vic", "hid", "k2", "n2").Block("hid", "vic")
	}, []gate{everybody}, []gate{everybody}, false},
	{"foe", "blocking the user", func(g Given) Given { return g.Block("foe", "hid") }, open, closed, false},
	{"bot", "blocking each other", func(g Given) Given { return g.Block("bot", "hid").Block("hid", "bot") }, []gate{everybody}, []gate{everybody}, false},
	{"ano", "anonymous", func(g Given) Given { return g.Status("ano", "ANONYMOUS") }, open, closed, false},
	{"off", "disabled", func(g Given) Given { return g.Status("off", "DISABLED") }, open, closed, false},
	{"new", "without a profile", nil, open, closed, false},
}

// looked is a kind of viewed user.
type looked struct {
	privacy string
	// hidesCounts represents both settings that hide counts.
	hidesCounts bool
}

// shows reports whether a field behind a gate is visible to a viewer.
func (of looked) shows(field string, through gate, to looking) bool {
	opened := to.public
	if of.privacy == "PRIVATE" {
		opened = to.private
	}
	switch {
	case of.hidesCounts && field == "postViewedByCount", of.hidesCounts && through == unhidden && to.is != "self":
		return false
	default:
		return slices.Contains(opened, through)
	}
}

// everythingSet returns a user with a value in every field.
func (of looked) everythingSet() Given {
	privacy := of.privacy
	g := Given{}.Identity("hid", apptest.Account{Email: "hid@example.com", Phone: "+15105551000"}).
		Does("hid", `mutation { createCognitoOnlyUser(username: "hid", fullName: "Full Name") { userId } }`).Identity("new")
	for _, l := range lookers[1:] {
		if l.name != "new" {
			g = g.Users(l.name)
		}
	}
	g = g.Image("hid", "picture", 160, 120).Bonus("hid").
		Details("hid", `photoPostId: "picture", displayName: "D", bio: "b", dateOfBirth: "1990-06-15", gender: MALE, height: 70, location: {latitude: 1, longitude: 2},
			matchAgeRange: {min: 18, max: 100}, matchGenders: [FEMALE], matchLocationRadius: 50, matchHeightRange: {min: 0, max: 117}, privacyStatus: `+privacy).
		Does("hid", `mutation { setUserDatingStatus(status: ENABLED) { userId } }`).Does("hid", `mutation { setUserDatingStatus(status: DISABLED) { userId } }`).
		Does("hid", `mutation { setUserAcceptedEULAVersion(version: "1") { userId } }`).Does("hid", `{ findContacts(contacts: []) { contactId } }`)
	for _, l := range lookers {
		if l.comes != nil && !(l.privateOnly && privacy == "PUBLIC") {
			g = l.comes(g)
			if privacy == "PRIVATE" && l.is == "follower" {
				g = g.Accept("hid", l.name)
			}
		}
	}
	for _, set := range sets {
		g = set(g, "hid")
	}
	if of.hidesCounts {
		g = g.Details("hid", `followCountsHidden: true, viewCountsHidden: true`)
	}
	return g
}

// Every field of a user, and every list, is visible to every kind of viewer according to
// its gate: users U9, U10 and F19. docs/visibility.md shows the result.
func TestVisibilityIsFresh(t *testing.T) {
	var text strings.Builder
	text.WriteString("<!-- Generated from the schema and the fields shown: go test ./resolvers -run Fresh -update -->\n\n# Visibility of the fields of a user\n\n" +
		"Each kind of viewer requested each field of a `User` with every field set.\n`x` is a value, `-` is null.\n")
	for _, of := range []looked{{privacy: "PUBLIC"}, {privacy: "PRIVATE"}, {privacy: "PUBLIC", hidesCounts: true}} {
		Test(t, of.everythingSet(), func(w *World) { of.matrix(w, &text) })
	}
	const file = "../docs/visibility.md"
	if *update {
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(file); err != nil || string(committed) != text.String() {
		t.Errorf("%s is not what is shown: run make generate (%v)", file, err)
	}
}

// matrix queries every field as every viewer.
func (of looked) matrix(w *World, text *strings.Builder) {
	w.T.Helper()
	privacy, who := of.privacy, of.privacy+" user"
	if of.hidesCounts {
		who += " who hides counts"
	}
	schema, gates := w.Schema.Schema(), gatesOf(w.T)
	var viewers []looking
	for _, l := range lookers {
		if !l.privateOnly || privacy == "PRIVATE" {
			viewers = append(viewers, l)
		}
	}
	fmt.Fprintf(text, "\n## Of a %s\n\n| Field |", who)
	for _, l := range viewers {
		fmt.Fprintf(text, " %s |", l.is)
	}
	text.WriteString("\n| --- |" + strings.Repeat(" --- |", len(viewers)) + "\n")
	shown := map[string]map[string]bool{}
	for _, l := range viewers {
		shown[l.name] = fieldsShown(w, schema, l.name)
	}
	for _, f := range schema.Types["User"].Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if len(gates[f.Name]) != 1 {
			continue // TestFieldsOfUserHaveOneGate fails
		}
		through := gates[f.Name][0]
		fmt.Fprintf(text, "| `%s` |", f.Name)
		for _, l := range viewers {
			got := shown[l.name][f.Name]
			if want := of.shows(f.Name, through, l); got != want {
				w.T.Errorf("%s of a %s, which is for %s, is shown to %s (%s): %v, want %v", f.Name, who, through, l.name, l.is, got, want)
			}
			fmt.Fprintf(text, " %s |", map[bool]string{true: "x", false: "-"}[got])
		}
		text.WriteString("\n")
	}
}

// fieldsShown returns the fields of hid that are not null for a viewer.
func fieldsShown(w *World, schema *ast.Schema, viewer string) map[string]bool {
	w.T.Helper()
	var fields []string
	for _, f := range schema.Types["User"].Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		text := f.Name
		if f.Name == "matchedUsers" {
			text += "(matchStatus: POTENTIAL)"
		}
		if schema.Types[f.Type.Name()].Kind == ast.Object {
			text += " { __typename }"
		}
		fields = append(fields, text)
	}
	a := w.Must(viewer, `{ user(userId: "{hid}") { `+strings.Join(fields, " ")+` } }`)
	var data struct{ User map[string]any }
	if err := json.Unmarshal(a.Data, &data); err != nil {
		w.T.Fatal(err)
	}
	shown := map[string]bool{}
	for name, value := range data.User {
		shown[name] = value != nil
	}
	return shown
}
