package post_test

import (
	"reflect"
	"strings"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
	"stoa/store"
)

// resolvers/calls_test.go has the store-call budget of a text with mentions.
func TestAddPublishesAtOnce(t *testing.T) {
	given := Users("ana", "Ben")
	const text = "hi @Ben, @ben @nobody and @ana"
	add := addText("p1", `text: "`+text+`", keywords: ["b", "a", "b"]`,
		`postStatus viewedStatus likeStatus flagStatus text postedBy { followedStatus } textTaggedUsers { tag user { username } }`)
	Run(t, []Scenario{
		{Name: "with mentions", Given: given, As: "ana", Query: add, Counts: Counts{"ana.postCount": 1}, Events: Events{"post.moved": 1}, Adds: true,
			Want: `{"addPost":{"postStatus":"COMPLETED","viewedStatus":"VIEWED","likeStatus":"NOT_LIKED","flagStatus":"NOT_FLAGGED","text":"` + text +
				`","postedBy":{"followedStatus":"SELF"},
				"textTaggedUsers":[{"tag":"@Ben","user":{"username":"Ben"}},{"tag":"@ana","user":{"username":"ana"}}]}}`},
		{Name: "without mentions, one call besides the caller's check and what it causes", Given: given, As: "ana", Query: addText("p1", `text: "x"`, "postId"), Adds: true,
			Want: `{"addPost":{"postId":"p1"}}`, Calls: Calls{Total: 2 + 4}},
	})
	Test(t, given, func(w *World) {
		w.Advance(123456e3) // and dates are kept to the microsecond
		w.Must("ana", add)
		want := &social.Post{
			PostID: "p1", PostedByUserID: w.ID("ana"), Type: social.TextOnly, Status: social.PostCompleted, PostedAt: w.Now(),
			Text: text, Keywords: []string{"b", "a"},
			TextTags: []social.TextTag{{Tag: "@Ben", UserID: w.ID("Ben")}, {Tag: "@ana", UserID: w.ID("ana")}},
		}
		if got := stored(w, "p1"); !reflect.DeepEqual(got, want) {
			w.T.Errorf("stored %+v, want %+v", got, want)
		}
		if at := w.Get(store.Main.Name, "post/p1", "-")["postedAt"]; at != "2026-01-01T12:00:03.123456Z" {
			w.T.Errorf("stored as posted at %v", at)
		}
	})
}

// A text without mentions is stored with an empty list of them.
func TestTagsAreStoredWithEachText(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "plain").Post("ana", "edited", `text: "@ben"`).EditPost("ana", "edited", `text: "nobody"`).
		Does("ana", `mutation { addPost(postId: "without") { postId } }`).
		Does("ana", `mutation { addPost(postId: "emptied", text: "@ben") { postId } }`).EditPost("ana", "emptied", `text: ""`)
	Test(t, given, func(w *World) {
		for id, want := range map[string]any{"plain": []any{}, "edited": []any{}, "without": nil, "emptied": nil} {
			if got := w.Get(store.Main.Name, "post/"+id, "-")["textTags"]; !reflect.DeepEqual(got, want) {
				w.T.Errorf("tags of %s are %#v, want %#v", id, got, want)
			}
		}
	})
}

// users U11, posts 24.2 and chats 1.1#22: a post without settings of its own takes its
// owner's.
func TestAddTakesDefaultsFromTheOwner(t *testing.T) {
	given := Users("ana").Details("ana", `commentsDisabled: true, likesDisabled: false, sharingDisabled: true`)
	Test(t, given, func(w *World) {
		w.Play(Scenario{As: "ana", Query: addText("p1", `text: "x", sharingDisabled: false`, `commentsDisabled likesDisabled sharingDisabled verificationHidden`),
			Want: `{"addPost":{"commentsDisabled":true,"likesDisabled":false,"sharingDisabled":false,"verificationHidden":false}}`})
		if stored(w, "p1").VerificationHidden != nil {
			w.T.Error("a choice that nobody made was stored")
		}
	})
}

func TestAddRefuses(t *testing.T) {
	then := []Scenario{{As: "ana", Query: `{ post(postId: "p1") { postId } self { postCount } }`, Want: `{"post":null,"self":{"postCount":0}}`}}
	Run(t, []Scenario{
		{
			Name:  "no text",
			Given: Users("ana"),
			As:    "ana",
			Query: `mutation { addPost(postId: "p1", postType: TEXT_ONLY) { postId } }`,
			Error: "ClientError: Cannot add text-only post without text",
			Then:  then,
		},
		{Name: "a video as photo", Given: Users("ana"), As: "ana", Query: `mutation { addPost(postId: "p1", postType: VIDEO, setAsUserPhoto: true) { postId } }`,
			Error: "ClientError: Cannot add video post with setAsUserPhoto", Then: then},
		{Name: "an id of no form", Given: Users("ana"), As: "ana", Query: addText("p/1", `text: "x"`, "postId"),
			Error: "ClientError: postId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID", Then: then},
		{Name: "too long a text", Given: Users("ana"), As: "ana", Query: `mutation add($text: String) { addPost(postId: "p1", postType: TEXT_ONLY, text: $text) { postId } }`,
			Variables: map[string]any{"text": strings.Repeat("x", social.MaxText+1)}, Error: "ClientError: text is 262145 bytes long: shorten it to at most 262144", Then: then},
	})
}

func TestAddStoresTheLargestPost(t *testing.T) {
	text, keywords := strings.Repeat("é", social.MaxText/2), []string{strings.Repeat("k", 64<<10)}
	Test(t, Users("ana"), func(w *World) {
		w.Play(
			Scenario{
				As:        "ana",
				Query:     `mutation add($text: String, $keywords: [String!]) { addPost(postId: "p1", postType: TEXT_ONLY, text: $text, keywords: $keywords) { postId } }`,
				Variables: map[string]any{"text": text, "keywords": keywords},
				Counts:    Counts{"ana.postCount": 1},
			},
		)
		if p := stored(w, "p1"); p.Text != text || !reflect.DeepEqual(p.Keywords, keywords) {
			w.T.Error("the text or the keywords came back changed")
		}
	})
}

func TestAddKeepsThePostWhoseIDIsTaken(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	then := []Scenario{
		{As: "ben", Query: `{ post(postId: "p1") { text postedBy { username postCount } } }`, Want: `{"post":{"text":"text of p1","postedBy":{"username":"ana","postCount":1}}}`},
	}
	Run(t, []Scenario{
		{Name: "by oneself", Given: given, As: "ana", Query: addText("p1", `text: "another"`, "postId"), Error: "ClientError: Post `p1` duplicated", Then: then},
		{Name: "by somebody else", Given: given, As: "ben", Query: addText("p1", `text: "another"`, "postId"), Error: "ClientError: Post `p1` duplicated", Then: then},
	})
}

func TestAddByAUserWhoIsGone(t *testing.T) {
	Test(t, Users("ana", "ben"), func(w *World) {
		w.Play(Scenario{Meanwhile: Given{}.Gone("ana"), As: "ana", Query: addText("p1", `text: "x"`, "postId"), Error: "ClientError: User `{ana}` does not exist"})
		if p := stored(w, "p1"); p != nil {
			w.T.Errorf("stored %+v", p)
		}
	})
}

func TestOneOfManyPostsGetsTheID(t *testing.T) {
	const rivals = 8
	names := []string{"user0", "user1", "user2", "user3", "user4", "user5", "user6", "user7"}
	Test(t, Users(names...), func(w *World) {
		var refused [rivals]string
		w.Together(rivals, func(i int) {
			if a := w.Ask(names[i], addText("p1", `text: "x"`, "postId")); len(a.Errors) > 0 {
				refused[i] = a.Errors[0].Message
			}
		})
		w.Settle()
		owner, counters := stored(w, "p1").PostedByUserID, w.Counters()
		for i, name := range names {
			text, count := "ClientError: Post `p1` duplicated", 0
			if w.ID(name) == owner {
				text, count = "", 1
			}
			if got := counters[name+".postCount"]; refused[i] != text || got != count {
				w.T.Errorf("%s is refused by %q, with %d posts, want %q, %d", name, refused[i], got, text, count)
			}
		}
		wantNoProblems(w)
	})
}
