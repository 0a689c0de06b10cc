package user_test

import (
	"net/http"
	"strings"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
)

// setDetails returns a mutation that sets details of the caller.
func setDetails(arguments, selection string) string {
	return `mutation { setUserDetails(` + arguments + `) { ` + selection + ` } }`
}

const detailFields = `username fullName displayName bio themeCode likesDisabled commentsDisabled privacyStatus`

func TestSetDetails(t *testing.T) {
	const after = `{"username":"ana","fullName":null,"displayName":"A","bio":"new","themeCode":"black.green","likesDisabled":true,"commentsDisabled":false,"privacyStatus":"PRIVATE"}`
	Run(t, []Scenario{
		{
			Name:   "those given, in one call besides the caller's check and what it causes",
			Given:  Users("ana").Details("ana", `fullName: "Ana", bio: "old", themeCode: "blue"`),
			As:     "ana",
			Events: Events{"user.changed": 1},
			Calls:  Calls{Total: 2 + 1},
			Query: setDetails(
				`fullName: "", displayName: "A", bio: "new", themeCode: "", likesDisabled: true, privacyStatus: PRIVATE`,
				detailFields,
			),
			Want: `{"setUserDetails":` + after + `}`,
			Then: []Scenario{{As: "ana", Query: `{ self { ` + detailFields + ` } }`, Want: `{"self":` + after + `}`}},
		},
		{Name: "users A12 equal ones are not written",
			Given: Users("ana").Details("ana", `bio: "b"`), As: "ana", Query: setDetails(`username: "ana", bio: "b", fullName: "", privacyStatus: PUBLIC`, "bio"),
			Want: `{"setUserDetails":{"bio":"b"}}`, Events: Events{}, Calls: Calls{Total: 1}},
		{
			Name:      "others meanwhile are not undone",
			Given:     Users("ana"),
			Meanwhile: Given{}.Details("ana", `bio: "b"`),
			As:        "ana",
			Query:     setDetails(`fullName: "Ana"`, "fullName"),
			Want:      `{"setUserDetails":{"fullName":"Ana"}}`,
			Then:      []Scenario{{As: "ana", Query: `{ self { bio fullName } }`, Want: `{"self":{"bio":"b","fullName":"Ana"}}`}},
		},
	})
}

// names queries which usernames are available.
const names = `{ ana: usernameStatus(username: "ana") ben: usernameStatus(username: "ben") anna: usernameStatus(username: "anna") first: usernameStatus(username: "first") ` +
	`second: usernameStatus(username: "second") }`

// users A11, A12, A13, A14 and A18: successive changes of a username count, except to a taken one.
func TestRename(t *testing.T) {
	given := Users("ana", "Ben")
	Test(t, given, func(w *World) {
		for _, c := range []struct{ to, err, last, names string }{
			{"BEN", "ClientError: Username `BEN` already taken (case-insensitive cmp)", "", `{"ana":"NOT_AVAILABLE","ben":"NOT_AVAILABLE","anna":"AVAILABLE","first":"AVAILABLE",` +
				`"second":"AVAILABLE"}`},
			{"ANA", "", "ana", `{"ana":"NOT_AVAILABLE","ben":"NOT_AVAILABLE","anna":"AVAILABLE","first":"AVAILABLE","second":"AVAILABLE"}`},
			{"anna", "", "ANA", `{"ana":"AVAILABLE","ben":"NOT_AVAILABLE","anna":"NOT_AVAILABLE","first":"AVAILABLE","second":"AVAILABLE"}`},
		} {
			want := *profile(w, "ana")
			w.Play(Scenario{As: "ana", Query: setDetails(`username: "`+c.to+`", bio: "to `+c.to+`"`, "username"), Error: c.err})
			if c.err == "" {
				want.Username, want.UsernameLastValue, want.UsernameLastChangedAt, want.Bio = c.to, c.last, w.Now(), "to "+c.to
			}
			got := profile(w, "ana")
			if got.Username != want.Username || got.UsernameLastValue != want.UsernameLastValue || !got.UsernameLastChangedAt.Equal(want.UsernameLastChangedAt) ||
				got.Bio != want.Bio {
				w.T.Errorf("%s: stored %+v, want %+v", c.to, got, want)
			}
			w.Play(Scenario{As: "ana", Query: names, Want: c.names})
			// An available name signs nobody in; a taken one signs its user in.
			for name, taken := range map[string]bool{"ana": strings.Contains(c.names, `"ana":"NOT`), "ben": true, "anna": strings.Contains(c.names, `"anna":"NOT`)} {
				status, body := Send(w, http.MethodPost, "/auth/dev/token", "application/json", []byte(`{"user":"`+name+`"}`))
				owner := map[bool]string{true: "Ben", false: "ana"}[name == "ben"]
				if (status == http.StatusCreated) != taken || taken && !strings.Contains(string(body), string(w.ID(owner))) {
					w.T.Errorf("after %s, %s signs in with %d %s", c.to, name, status, body)
				}
			}
		}
		// Another user takes the name that has become available, and mentions follow the
		// spelling.
		w.Do(Given{}.Details("Ben", `username: "ana"`)...)
		w.Play(Scenario{As: "ana", Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "@ana @anna @ANA") { textTaggedUsers { tag user { userId } } } }`,
			Want: `{"addPost":{"textTaggedUsers":[{"tag":"@ana","user":{"userId":"{Ben}"}},{"tag":"@anna","user":{"userId":"{ana}"}}]}}`})
	})
	Test(t, given, func(w *World) {
		w.Play(
			Scenario{
				Meanwhile: Given{}.Details("ana", `username: "first"`),
				As:        "ana",
				Query:     setDetails(`username: "second"`, "username"),
				Want:      `{"setUserDetails":{"username":"second"}}`,
				Then:      []Scenario{{As: "ana", Query: names, Want: `{"ana":"AVAILABLE","ben":"NOT_AVAILABLE","anna":"AVAILABLE","first":"AVAILABLE","second":"NOT_AVAILABLE"}`}},
			},
		)
		if got := profile(w, "ana"); got.UsernameLastValue != "first" {
			w.T.Errorf("%s was %s before", got.Username, got.UsernameLastValue)
		}
	})
}

func TestOneOfManyGetsTheNewName(t *testing.T) {
	rivals := []string{"aaa", "bbb", "ccc", "ddd"}
	Test(t, Users(rivals...), func(w *World) {
		refused := make([]string, len(rivals))
		w.Together(len(rivals), func(i int) {
			if a := w.Ask(rivals[i], setDetails(`username: "wanted"`, "username")); len(a.Errors) > 0 {
				refused[i] = a.Errors[0].Message
			}
		})
		w.Settle()
		won := 0
		for i, name := range rivals {
			want, status := "ClientError: Username `wanted` already taken (case-insensitive cmp)", "NOT_AVAILABLE"
			if profile(w, name).Username == "wanted" {
				want, status = "", "AVAILABLE"
				won++
			}
			if refused[i] != want {
				w.T.Errorf("%s is refused by %q, want %q", name, refused[i], want)
			}
			w.Play(Scenario{As: name, Query: `{ usernameStatus(username: "` + name + `") }`, Want: `{"usernameStatus":"` + status + `"}`})
		}
		if won != 1 {
			w.T.Errorf("%d got the name", won)
		}
	})
}

// social/follow tests the effects of becoming public.
func TestRefusedDetailsChangeNothing(t *testing.T) {
	given := Users("ana", "ben")
	then := []Scenario{{As: "ana", Query: `{ self { username bio privacyStatus } }`, Want: `{"self":{"username":"ana","bio":null,"privacyStatus":"PUBLIC"}}`}}
	Run(t, []Scenario{
		{
			Name:  "nothing",
			Given: given,
			As:    "ana",
			Query: `mutation { setUserDetails { userId } }`,
			Error: "ClientError: Called without any arguments... probably not what you intended?",
			Then:  then,
		},
		{
			Name:  "a taken name",
			Given: given,
			As:    "ana",
			Query: setDetails(`username: "Ben", bio: "b", privacyStatus: PRIVATE`, "userId"),
			Error: "ClientError: Username `Ben` already taken (case-insensitive cmp)",
			Then:  then,
		},
		{
			Name:  "a long text",
			Given: given,
			As:    "ana",
			Query: setDetails(`username: "other", bio: "`+strings.Repeat("x", social.MaxProfileText+1)+`"`, "userId"),
			Error: "ClientError: bio is 65537 bytes long: shorten it to at most 65536",
			Then:  then,
		},
	})
}
