package user_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"stoa/internal/apptest"
	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/social/user"
	"stoa/store"
)

// from sends a request with headers of the user's app, and returns the response.
func from(w *World, as, query string, headers map[string]string) string {
	w.T.Helper()
	body, err := json.Marshal(apptest.Request{Query: w.People.Fill(query)})
	if err != nil {
		w.T.Fatal(err)
	}
	request := httptest.NewRequestWithContext(w.T.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", as)
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	w.Handler.ServeHTTP(recorder, request)
	return w.People.Name(recorder.Body.String())
}

// profile returns a stored profile, or nil if there is none.
func profile(w *World, name string) *social.User {
	w.T.Helper()
	u, err := store.Open(w.DB).Users.Profile(w.T.Context(), w.ID(name))
	if err != nil {
		w.T.Fatal(err)
	}
	return u
}

// resolvers/callers_test.go tests which callers each mutation refuses, and how.
func TestAdmit(t *testing.T) {
	const active, either = `mutation { setUserDetails(bio: "b") { bio } }`, `mutation { startChangeUserEmail(email: "new@example.com") { userId } }`
	Run(t, []Scenario{
		{Name: "active", Given: Users("ana"), As: "ana", Query: active, Want: `{"setUserDetails":{"bio":"b"}}`},
		{Name: "anonymous is not active", Given: Given{}.Anonymous("ana"), As: "ana", Query: active, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{Name: "disabled", Given: Users("ana").Status("ana", social.UserDisabled), As: "ana", Query: active, Error: "ClientError: User `{ana}` is not ACTIVE"},
		{
			Name:  "disabled is neither",
			Given: Users("ana").Status("ana", social.UserDisabled),
			As:    "ana",
			Query: either,
			Error: "ClientError: User `{ana}` is not ACTIVE or ANONYMOUS",
		},
		{Name: "no profile", Given: Given{}.Stranger("ana"), As: "ana", Query: either, Error: "ClientError: User `{ana}` does not exist"},
	})
}

func TestAdmitEither(t *testing.T) {
	Test(t, Users("ana").Anonymous("ben"), func(w *World) { // each attempt sends another code
		for _, name := range []string{"ana", "ben"} {
			w.Play(
				Scenario{As: name, Query: `mutation { startChangeUserEmail(email: "new@example.com") { userId } }`, Want: `{"startChangeUserEmail":{"userId":"{` + name + `}"}}`},
			)
		}
	})
}

func TestAdmitRecordsTheClient(t *testing.T) {
	// Values that are already set are not written.
	const same = `mutation { setUserDetails(bio: "b") { bio } }`
	given := Users("ana").Details("ana", `bio: "b"`).Users("off").Status("off", social.UserDisabled)
	Test(t, given, func(w *World) {
		for _, c := range []struct {
			name    string
			headers map[string]string
			calls   int
			stored  string
		}{
			{"nothing sent", nil, 1, `map[]`},
			{"first", map[string]string{"X-Real-Version": "1", "X-Real-Uid": "u"}, 2, `map[uid:u version:1]`},
			{"same", map[string]string{"X-Real-Version": "1", "X-Real-Uid": "u"}, 1, `map[uid:u version:1]`},
			{"nothing sent again", nil, 1, `map[uid:u version:1]`},
			{"other, with less", map[string]string{"X-Real-Device": "d"}, 2, `map[device:d]`},
		} {
			w.Client.Reset()
			if got := from(w, "ana", same, c.headers); got != `{"data":{"setUserDetails":{"bio":"b"}}}` {
				w.T.Errorf("%s: %s", c.name, got)
			}
			if w.Client.Total() != c.calls {
				w.T.Errorf("%s: %s, want %d calls", c.name, w.Client, c.calls)
			}
			if got := fmt.Sprint(profile(w, "ana").LastClient); got != c.stored {
				w.T.Errorf("%s: stored %s, want %s", c.name, got, c.stored)
			}
		}
		from(w, "off", same, map[string]string{"X-Real-Version": "1"})
		if got := profile(w, "off").LastClient; len(got) > 0 {
			w.T.Errorf("a refused caller's client was recorded: %v", got)
		}
	})
}

func TestSelf(t *testing.T) {
	Run(t, []Scenario{
		{Name: "disabled", Given: Users("off").Status("off", social.UserDisabled), As: "off", Query: `{ self { userStatus email followedStatus } }`,
			Want: `{"self":{"userStatus":"DISABLED","email":"off@example.com","followedStatus":"SELF"}}`, Calls: Calls{Total: 1}},
		{Name: "nobody", Given: Given{}.Stranger("nobody"), As: "nobody", Query: `{ self { userStatus } }`, Error: "ClientError: User does not exist"},
	})
}

// meeting is ana's view of others: ben, who follows her and whom she follows, cem, who
// blocks her, and dan, whom she blocks.
var meeting = Users("ana", "ben!private", "cem", "dan").Details("ben", `bio: "b"`).Details("cem", `bio: "c"`).Details("dan", `bio: "d"`).
	Follow("ana", "ben").Accept("ben", "ana").Follow("ben", "ana").Block("cem", "ana").Block("ana", "dan")

func TestVisible(t *testing.T) {
	users := func(fields string) string {
		return `{ ana: user(userId: "{ana}") { ` + fields + ` } ben: user(userId: "{ben}") { ` + fields + ` } cem: user(userId: "{cem}") { ` + fields +
			` } dan: user(userId: "{dan}") { ` + fields + ` }
			again: user(userId: "{ben}") { ` + fields + ` } nobody: user(userId: "us-east-1:00000000-0000-4000-8000-000000000099") { ` + fields + ` } none: user(userId: "") { ` +
			fields + ` } other: user(userId: "x/y") { ` + fields + ` } }`
	}
	wants := func(ana, ben, cem, dan string) string {
		return `{"ana":` + ana + `,"ben":` + ben + `,"cem":` + cem + `,"dan":` + dan + `,"again":` + ben + `,"nobody":null,"none":null,"other":null}`
	}
	stands := func(username, followed, follower, blocked, blocker string) string {
		return fmt.Sprintf(`{"username":%q,"followedStatus":%q,"followerStatus":%q,"blockedStatus":%q,"blockerStatus":%q}`, username, followed, follower, blocked, blocker)
	}
	one := func(field, value string) string { return fmt.Sprintf(`{%q:%q}`, field, value) }
	const not = "NOT_FOLLOWING"
	Run(t, []Scenario{
		{Name: "both ways", Given: meeting, As: "ana", Query: users(`username followedStatus followerStatus blockedStatus blockerStatus`), Calls: Calls{Total: 1},
			Want: wants(stands("ana", "SELF", "SELF", "SELF", "SELF"), stands("ben", "FOLLOWING", "FOLLOWING", "NOT_BLOCKING", "NOT_BLOCKING"),
				stands("cem", not, not, "NOT_BLOCKING", "BLOCKING"), stands("dan", not, not, "BLOCKING", "NOT_BLOCKING"))},
		{
			Name:  "a follower sees a private bio, who is blocked none",
			Given: meeting,
			As:    "ana",
			Query: users(`bio`),
			Want:  wants(`{"bio":null}`, `{"bio":"b"}`, `{"bio":null}`, `{"bio":"d"}`),
		},
		{Name: "whom she follows", Given: meeting, As: "ana", Query: users(`followedStatus`),
			Want: wants(one("followedStatus", "SELF"), one("followedStatus", "FOLLOWING"), one("followedStatus", not), one("followedStatus", not))},
		{Name: "who follows her", Given: meeting, As: "ana", Query: users(`followerStatus`),
			Want: wants(one("followerStatus", "SELF"), one("followerStatus", "FOLLOWING"), one("followerStatus", not), one("followerStatus", not))},
		{Name: "whom she blocks", Given: meeting, As: "ana", Query: users(`blockedStatus`),
			Want: wants(one("blockedStatus", "SELF"), one("blockedStatus", "NOT_BLOCKING"), one("blockedStatus", "NOT_BLOCKING"), one("blockedStatus", "BLOCKING"))},
		{Name: "who blocks her", Given: meeting, As: "ana", Query: users(`blockerStatus`),
			Want: wants(one("blockerStatus", "SELF"), one("blockerStatus", "NOT_BLOCKING"), one("blockerStatus", "BLOCKING"), one("blockerStatus", "NOT_BLOCKING"))},
	})
	Test(t, Users("ana"), func(w *World) {
		w.Client.Reset()
		w.Compare("an impossible id", w.Must("ana", `{ user(userId: "non/sense") { bio } }`).Data, `{"user":null}`)
		if w.Client.Total() != 0 {
			w.T.Errorf("an id that no issuer gives anybody costs %s", w.Client)
		}
		w.Compare("an id of another form", w.Must("ana", `{ user(userId: "nonsense") { bio } }`).Data, `{"user":null}`)
	})
}

// users T11: a list leaves out users who are gone or block the viewer, and keeps its order.
func TestListed(t *testing.T) {
	Test(t, meeting, func(w *World) {
		people := &user.Service{Store: store.Open(w.DB).Users}
		var entries []social.Entry
		for _, id := range []social.UserID{w.ID("dan"), w.ID("cem"), w.ID("ben"), "us-east-1:00000000-0000-4000-8000-000000000099", w.ID("ana"), w.ID("dan")} {
			entries = append(entries, social.Entry{UserID: id})
		}
		entries = append(entries, social.Entry{UserID: w.ID("ben"), At: w.Now().AddDate(-1, 0, 0)}) // before their profile
		listed, err := people.Listed(w.T.Context(), social.Viewer{UserID: w.ID("ana")}, entries, 0)
		if err != nil {
			w.T.Fatal(err)
		}
		var names []string
		for _, u := range listed {
			names = append(names, u.Username())
		}
		if got := fmt.Sprint(names); got != "[dan ben ana dan]" {
			w.T.Errorf("listed %s", got)
		}
	})
	Run(
		t,
		[]Scenario{
			{
				Name:  "in a list",
				Given: Users("ana", "ben", "cem", "dan").Follow("dan", "ben").Follow("cem", "ben").Follow("ana", "ben").Block("cem", "ana").Block("ana", "dan"),
				As:    "ana",
				Query: `{ user(userId: "{ben}") { followerUsers { items { username } } } }`,
				Want:  `{"user":{"followerUsers":{"items":[{"username":"ana"},{"username":"dan"}]}}}`,
			},
		},
	)
}

// users A16 and A17: whether a username is valid and free, regardless of case.
func TestNames(t *testing.T) {
	Test(t, Users("Ana.B"), func(w *World) {
		w.Play(Scenario{
			As: "Ana.B", Query: `{ a: usernameStatus(username: "Ana.B") b: usernameStatus(username: "ana.b") c: usernameStatus(username: "ana") d: usernameStatus(username: "") e: ` +
				`usernameStatus(username: "a b") }`,
			Want: `{"a":"NOT_AVAILABLE","b":"NOT_AVAILABLE","c":"AVAILABLE","d":"INVALID","e":"INVALID"}`,
		})
		names := w.Host.Face(System.Name).Usernames
		id, found, err := names.UserIDByUsername(w.T.Context(), "ana.b")
		if id != w.ID("Ana.B") || !found || err != nil {
			w.T.Errorf("ana.b is %s, %v, %v", id, found, err)
		}
		if _, found, err := names.UserIDByUsername(w.T.Context(), "nobody"); found || err != nil {
			w.T.Errorf("nobody is %v, %v", found, err)
		}
	})
}

// users A15: resolvers/calls_test.go and social/post test the cost of texts with and without
// mentions.
func TestTags(t *testing.T) {
	given := Users("ana", "Ben_1")
	scenario := func(name, text, want string) Scenario {
		return Scenario{
			Name:  name,
			Given: given,
			As:    "ana",
			Query: fmt.Sprintf(`mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: %q) { textTaggedUsers { tag user { username } } } }`, text),
			Want:  `{"addPost":{"textTaggedUsers":[` + want + `]}}`,
			Adds:  true,
		}
	}
	Run(t, []Scenario{
		scenario("each once", "hi @Ben_1 and @ana, @ana!", `{"tag":"@Ben_1","user":{"username":"Ben_1"}},{"tag":"@ana","user":{"username":"ana"}}`),
		scenario("spelled otherwise", "@Ana @ben_1 are spelled otherwise", ""),
		scenario("another name", "@ana. is another name", ""),
		scenario("nobody", "@nobody", ""),
		scenario("without mentions", "nobody @ all", ""),
	})
}
