package post_test

import (
	"reflect"
	"testing"
	"time"

	"stoa/social"
	. "stoa/social/socialtest"
)

// editText returns a mutation that edits p1.
func editText(arguments, selection string) string {
	return `mutation { editPost(postId: "p1", ` + arguments + `) { ` + selection + ` } }`
}

func TestEditRefuses(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	then := []Scenario{{As: "ben", Query: `{ post(postId: "p1") { text keywords } }`, Want: `{"post":{"text":"text of p1","keywords":null}}`}}
	Run(t, []Scenario{
		{Name: "no such post", Given: given, As: "ana", Query: `mutation { editPost(postId: "p2") { postId } }`, Error: "ClientError: Post `p2` does not exist", Then: then},
		{
			Name:  "an id that no post has",
			Given: given,
			As:    "ana",
			Query: `mutation { editPost(postId: "p/1") { postId } }`,
			Error: "ClientError: Post `p/1` does not exist",
			Then:  then,
		},
		{
			Name:  "another's post",
			Given: given,
			As:    "ben",
			Query: `mutation { editPost(postId: "p1") { postId } }`,
			Error: "ClientError: Cannot edit another User's post",
			Then:  then,
		},
		{Name: "nothing to do", Given: given, As: "ana", Query: `mutation { editPost(postId: "p1") { postId } }`, Error: "ClientError: Empty edit requested", Then: then},
		{Name: "no text left", Given: given, As: "ana", Query: editText(`text: ""`, "postId"), Error: "ClientError: Cannot set text to null on text-only post", Then: then},
	})
}

func TestEditChangesWhatIsGivenOnly(t *testing.T) {
	Test(t, Users("ana").Post("ana", "p1"), func(w *World) {
		expected := stored(w, "p1")
		for _, c := range []struct {
			name, edit, want string
			change           func(*social.Post)
		}{
			{"text", `text: "new"`, `{"editPost":{"text":"new","keywords":null}}`, func(p *social.Post) { p.Text, p.TextEditedAt = "new", time.Date(2026, 1, 1, 12, 0, 3, 0, time.UTC) }},
			{"keywords", `keywords: ["x", "y", "x"]`, `{"editPost":{"text":"new","keywords":["x","y"]}}`, func(p *social.Post) { p.Keywords = []string{"x", "y"} }},
			{"no keywords", `keywords: []`, `{"editPost":{"text":"new","keywords":[]}}`, func(p *social.Post) { p.Keywords = []string{} }},
			{"comments off", `commentsDisabled: true`, `{"editPost":{"text":"new","keywords":[]}}`, func(p *social.Post) { p.CommentsDisabled = new(true) }},
			{"comments on", `commentsDisabled: false`, `{"editPost":{"text":"new","keywords":[]}}`, func(p *social.Post) { p.CommentsDisabled = new(false) }},
			{"the rest", `likesDisabled: true, sharingDisabled: true, verificationHidden: false`, `{"editPost":{"text":"new","keywords":[]}}`, func(p *social.Post) {
				p.LikesDisabled, p.SharingDisabled, p.VerificationHidden = new(true), new(true), new(false)
			}},
		} {
			w.Play(Scenario{As: "ana", Query: editText(c.edit, "text keywords"), Want: c.want, Counts: Counts{}, Events: Events{"post.moved": 0}})
			c.change(expected)
			if got := stored(w, "p1"); !reflect.DeepEqual(got, expected) {
				w.T.Errorf("%s: stored %+v, want %+v", c.name, got, expected)
			}
		}
	})
}

func TestEditLooksMentionsUpOnlyWithNewText(t *testing.T) {
	given := Users("ana", "ben", "cem").Post("ana", "p1", `text: "@ben @cem"`).Details("ben", `username: "benno"`)
	Test(t, given, func(w *World) {
		for _, c := range []struct{ name, edit, want string }{
			{"an edit without text", `likesDisabled: true`, `[{"tag":"@ben","user":{"username":"benno"}},{"tag":"@cem","user":{"username":"cem"}}]`},
			{"the same text again", `text: "@ben @cem"`, `[{"tag":"@cem","user":{"username":"cem"}}]`},
			{"a text with the new name", `text: "@benno"`, `[{"tag":"@benno","user":{"username":"benno"}}]`},
			{"a text without mentions", `text: "nobody"`, `[]`},
		} {
			w.T.Log(c.name)
			w.Play(Scenario{As: "ana", Query: editText(c.edit, "textTaggedUsers { tag user { username } }"), Want: `{"editPost":{"textTaggedUsers":` + c.want + `}}`})
		}
	})
}

func TestEditInEveryStatus(t *testing.T) {
	for _, status := range []social.PostStatus{social.PostPending, social.PostProcessing, social.PostError, social.PostArchived} {
		each(t, string(status), Users("ana").Post("ana", "p1").And(inStatus("p1", status)), func(w *World) {
			a := w.Must("ana", editText(`text: "edited"`, "postStatus"))
			w.Compare("editPost", a.Data, `{"editPost":{"postStatus":"`+string(status)+`"}}`)
			if got := stored(w, "p1").Text; got != "edited" {
				w.T.Errorf("stored %q", got)
			}
		})
	}
}

func TestEditMeetsOtherChanges(t *testing.T) {
	given := Users("ana", "ben").Post("ana", "p1")
	edit := editText(`text: "new"`, "text")
	Run(t, []Scenario{
		{
			Name:      "another edit: both changes are kept",
			Given:     given,
			Meanwhile: Given{}.EditPost("ana", "p1", `keywords: ["k"]`),
			As:        "ana",
			Query:     edit,
			Want:      `{"editPost":{"text":"new"}}`,
			Then:      []Scenario{{As: "ben", Query: `{ post(postId: "p1") { text keywords } }`, Want: `{"post":{"text":"new","keywords":["k"]}}`}},
		},
		{Name: "the post goes", Given: given, Meanwhile: Given{}.DeletePost("ana", "p1"), As: "ana", Query: edit, Error: "ClientError: Post `p1` does not exist",
			Then: []Scenario{{As: "ana", Query: `{ post(postId: "p1") { text } }`, Want: `{"post":null}`}}},
		{
			Name:      "its id is given to another's post",
			Given:     given,
			Meanwhile: Given{}.DeletePost("ana", "p1").Post("ben", "p1"),
			As:        "ana",
			Query:     edit,
			Error:     "ClientError: Cannot edit another User's post",
			Then:      []Scenario{{As: "ana", Query: `{ post(postId: "p1") { text } }`, Want: `{"post":{"text":"text of p1"}}`}},
		},
	})
}
