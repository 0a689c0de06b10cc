package post_test

import (
	"fmt"
	"testing"

	. "stoa/social/socialtest"
	"stoa/store"
)

func TestWhoSeesAPost(t *testing.T) {
	given := Users("ana", "pia!private", "stranger", "follower", "asked", "denied", "blocked", "blocking").Stranger("guest").
		Post("ana", "public").Post("ana", "archived").Archive("ana", "archived").Post("pia", "private").
		Follow("follower", "ana").Follow("follower", "pia").Accept("pia", "follower").
		Follow("asked", "pia").
		Follow("denied", "ana").Deny("ana", "denied").Follow("denied", "pia").Deny("pia", "denied").
		Follow("blocked", "ana").Follow("blocked", "pia").Accept("pia", "blocked").Block("ana", "blocked").Block("pia", "blocked").
		Block("blocking", "ana").Block("blocking", "pia").
		Trending("public", 4).Trending("archived", 3).Trending("private", 2).Trending("missing", 1)
	Test(t, given, func(w *World) {
		ids := []string{"public", "archived", "private", "missing", "no/id", ""}
		for _, c := range []struct {
			viewer string
			sees   []bool
			list   string
		}{
			{"ana", []bool{true, true, false}, `[{"postId":"public"},{"postId":"archived"}]`},
			{"pia", []bool{true, false, true}, `[{"postId":"public"},{"postId":"private"}]`},
			{"stranger", []bool{true, false, false}, `[{"postId":"public"}]`},
			{"follower", []bool{true, false, true}, `[{"postId":"public"},{"postId":"private"}]`},
			{"asked", []bool{true, false, false}, `[{"postId":"public"}]`},
			{"denied", []bool{true, false, false}, `[{"postId":"public"}]`},
			{"blocked", []bool{false, false, false}, `[]`},
			{"blocking", []bool{true, false, false}, `[{"postId":"public"}]`},
			{"guest", []bool{true, false, false}, `[{"postId":"public"}]`},
		} {
			for i, id := range ids {
				want := `{"post":null}`
				if i < len(c.sees) && c.sees[i] {
					want = fmt.Sprintf(`{"post":{"postId":%q}}`, id)
				}
				w.Compare(c.viewer+" and "+id, w.Must(c.viewer, fmt.Sprintf(`{ post(postId: %q) { postId } }`, id)).Data, want)
			}
			w.Compare("list for "+c.viewer, w.Must(c.viewer, `{ trendingPosts { items { postId } } }`).Data, `{"trendingPosts":{"items":`+c.list+`}}`)
		}
	})
}

func TestPostWithoutOwnerIsHidden(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1").And(Change("post/p1", "-", map[string]any{"postedByUserId": "us-east-1:gone"})).Trending("p1", 1)
	Test(t, given, func(w *World) {
		w.Compare("post", w.Must("ben", `{ post(postId: "p1") { postId } trendingPosts { items { postId } } }`).Data, `{"post":null,"trendingPosts":{"items":[]}}`)
	})
}

func TestMarksAreTheViewersOwn(t *testing.T) {
	const look = `{ post(postId: "p1") { likeStatus viewedStatus flagStatus } }`
	given := Users("ana", "ben", "cem").Post("ana", "p1").LikeSecretly("ben", "p1").ViewPost("ben", "p1").FlagPost("ben", "p1")
	Run(t, []Scenario{
		{Name: "who has marked it", Given: given, As: "ben", Query: look, Want: `{"post":{"likeStatus":"ANONYMOUSLY_LIKED","viewedStatus":"VIEWED","flagStatus":"FLAGGED"}}`},
		{Name: "who has not", Given: given, As: "cem", Query: look, Want: `{"post":{"likeStatus":"NOT_LIKED","viewedStatus":"NOT_VIEWED","flagStatus":"NOT_FLAGGED"}}`},
		{Name: "the owner", Given: given, As: "ana", Query: look, Want: `{"post":{"likeStatus":"NOT_LIKED","viewedStatus":"VIEWED","flagStatus":"NOT_FLAGGED"}}`},
	})
}

// Marks on a deleted post do not count for a newer one with its id.
func TestMarksOfAnOlderPostDoNotCount(t *testing.T) {
	const look = `{ post(postId: "p1") { viewedStatus flagStatus } }`
	given := Users("ana", "ben").Post("ana", "p1").ViewPost("ben", "p1").FlagPost("ben", "p1")
	Test(t, given, func(w *World) {
		w.Compare("marks", w.Must("ben", look).Data, `{"post":{"viewedStatus":"VIEWED","flagStatus":"FLAGGED"}}`)
		const before = "2026-01-01T12:00:02.999999Z"
		if at := w.Get(store.Main.Name, "post/p1", "-")["postedAt"]; at != "2026-01-01T12:00:03.000000Z" {
			w.T.Fatalf("posted at %v", at)
		}
		w.Do(Change("post/p1", "view/{ben}", map[string]any{"firstViewedAt": before, "lastViewedAt": before}), Change("post/p1", "flag/{ben}", map[string]any{"createdAt": before}))
		w.Compare("marks of an older post", w.Must("ben", look).Data, `{"post":{"viewedStatus":"NOT_VIEWED","flagStatus":"NOT_FLAGGED"}}`)
	})
}

// Posts of the user whom everybody follows are shown as viewed, but listed among those that
// are not.
func TestItemsByViewedStatus(t *testing.T) {
	given := Users("hub", "ana", "ben").Follow("ana", "ben").Post("ana", "own").Post("ben", "viewed").Post("ben", "new").Post("hub", "hub").ViewPost("ana", "viewed")
	const hub, unseen, viewed, own = `{"postId":"hub","viewedStatus":"VIEWED"}`, `{"postId":"new","viewedStatus":"NOT_VIEWED"}`,
		`{"postId":"viewed","viewedStatus":"VIEWED"}`, `{"postId":"own","viewedStatus":"VIEWED"}`
	look := func(choice, items string) Scenario {
		return Scenario{
			Name:  "of " + choice,
			Given: given,
			As:    "ana",
			Query: `{ self { feed { items` + choice + ` { postId viewedStatus } } } }`,
			Want:  `{"self":{"feed":{"items":[` + items + `]}}}`,
		}
	}
	RunStaffed(t, []Scenario{
		look("", hub+","+unseen+","+viewed+","+own),
		look("(viewedStatus: VIEWED)", viewed+","+own),
		look("(viewedStatus: NOT_VIEWED)", hub+","+unseen),
	})
}

// A filter by isVerified applies to the value that is shown; posts without a verdict
// match neither.
func TestItemsByIsVerified(t *testing.T) {
	unverified := func(g Given, id string, width int, arguments string) Given {
		return g.Does("ana", "%s", ImagePost(id, JPEG(width, 20), "", arguments, "postId"))
	}
	given := unverified(unverified(Users("ana").Post("ana", "text").Image("ana", "real", 30, 20), "not", 31, ""), "hidden", 32, ", verificationHidden: true")
	look := func(choice, items string) Scenario {
		return Scenario{
			Name:  "of " + choice,
			Given: given,
			As:    "ana",
			Query: `{ self { posts { items` + choice + ` { postId } } } }`,
			Want:  `{"self":{"posts":{"items":[` + items + `]}}}`,
		}
	}
	const text, real, not, hidden = `{"postId":"text"}`, `{"postId":"real"}`, `{"postId":"not"}`, `{"postId":"hidden"}`
	Run(t, []Scenario{
		look("", hidden+","+not+","+real+","+text),
		look("(isVerified: true)", hidden+","+real),
		look("(isVerified: false)", not),
		look("(isVerified: true, viewedStatus: NOT_VIEWED)", ""),
	})
}

// In addition to the calls for the caller and the list, a page of posts takes two calls, or
// three with mentions; an empty one takes none. Twenty owners with all relations between
// each and the viewer are 101 keys, one more than a call can request: the last is the
// viewer's profile.
func TestPageOfPostsTakesTwoCalls(t *testing.T) {
	given := Users("viewer", "alone")
	for i := range 20 {
		owner, tagged := fmt.Sprintf("owner%02d", i), fmt.Sprintf("tagged%02d", i)
		given = given.Users(owner, tagged).Follow("viewer", owner).Post(owner, fmt.Sprintf("p%02d", i), fmt.Sprintf(`text: "with @%s"`, tagged))
	}
	const marks, ties = ` likeStatus viewedStatus flagStatus`, ` postedBy { username followedStatus followerStatus blockedStatus blockerStatus }`
	feed := func(fields string) string { return `{ self { feed { items { postId ` + fields + ` } } } }` }
	Test(t, given, func(w *World) {
		for _, c := range []struct {
			name, as, fields string
			calls            int
		}{
			{"bare", "viewer", "", 4},
			{"with all marks", "viewer", marks, 4},
			{"with marks and both ways", "viewer", marks + ties, 5},
			{"with mentions", "viewer", marks + ` textTaggedUsers { tag user { username } }`, 5},
			{"an empty page", "alone", marks + ties, 2},
		} {
			w.T.Log(c.name)
			w.Play(Scenario{As: c.as, Query: feed(c.fields), Calls: Calls{Total: c.calls}})
		}
		w.Play(Scenario{As: "viewer", Query: `{ self { feed(limit: 1) { items { postId textTaggedUsers { user { username } } } } } }`,
			Want: `{"self":{"feed":{"items":[{"postId":"p19","textTaggedUsers":[{"user":{"username":"tagged19"}}]}]}}}`})
	})
}

func TestPostsOfAUser(t *testing.T) {
	given := Users("ana", "pia!private", "ben", "blocked").Block("ana", "blocked").
		Post("ana", "p0").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3").Post("ana", "p4").Post("pia", "private").Archive("ana", "p1")
	const newest = `{"items":[{"postId":"p4"},{"postId":"p3"},{"postId":"p2"},{"postId":"p0"}],"nextToken":null}`
	const others = "ClientError: May only retrieve COMPLETED posts of other users"
	Test(t, given, func(w *World) {
		for _, c := range []struct{ name, viewer, of, arguments, want, err string }{
			{"one's own", "ana", "ana", "", newest, ""},
			{"another's", "ben", "ana", "", newest, ""},
			{"another's completed", "ben", "ana", "postStatus: COMPLETED", newest, ""},
			{"of a type", "ben", "ana", "postType: TEXT_ONLY", newest, ""},
			{"of a type that there is none of", "ben", "ana", "postType: VIDEO", `{"items":[],"nextToken":null}`, ""},
			{"one's own archived", "ana", "ana", "postStatus: ARCHIVED", `{"items":[{"postId":"p1"}],"nextToken":null}`, ""},
			{"another's archived", "ben", "ana", "postStatus: ARCHIVED", "null", others},
			{"archived of a private user", "ben", "pia", "postStatus: ARCHIVED", "null", others},
			{"of a private user", "ben", "pia", "", "null", ""},
			{"of oneself as a private user", "pia", "pia", "", `{"items":[{"postId":"private"}],"nextToken":null}`, ""},
			{"of a user who blocks", "blocked", "ana", "", "null", ""},
		} {
			w.T.Log(c.name)
			posts := func(arguments string) string {
				return `{ user(userId: "{` + c.of + `}") { posts(` + arguments + `) { items { postId } nextToken } } }`
			}
			w.Play(Scenario{As: c.viewer, Query: posts("limit: 100 " + c.arguments), Want: `{"user":{"posts":` + c.want + `}}`, Error: c.err})
			w.Play(
				Scenario{
					As:    c.viewer,
					Query: posts("limit: 101 " + c.arguments),
					Want:  `{"user":{"posts":null}}`,
					Error: "ClientError: Limit cannot be less than 1 or greater than 100",
				},
			)
		}
	})
}

func TestPostsOfAUserByPages(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p0").Post("ana", "p1").Post("ana", "p2").Post("ana", "p3").Post("ana", "p4").Post("ben", "other")
	const foreign = "ClientError: nextToken is not from this list: leave it out to start from the first page"
	Test(t, given, func(w *World) {
		got := w.Pages("ana", `{ self { posts(limit: 2%s) { items { postId } nextToken } } }`, "self", "posts")
		if want := `[{"postId":"p4"},{"postId":"p3"}] [{"postId":"p2"},{"postId":"p1"}] [{"postId":"p0"}]`; got != want {
			w.T.Errorf("pages %s, want %s", got, want)
		}
		token := Address(w, "ana", `{ self { posts(limit: 2) { nextToken } } }`, "nextToken")
		for _, token := range []string{token, "nonsense"} {
			w.Play(
				Scenario{As: "ben", Query: fmt.Sprintf(`{ self { posts(limit: 2, nextToken: %q) { items { postId } } } }`, token), Want: `{"self":{"posts":null}}`, Error: foreign},
			)
		}
	})
}
