package social

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

var (
	yes, no = new(true), new(false)
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// wantRefusal compares the error of a check with a text, "" for no error.
func wantRefusal(t *testing.T, name string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: refused with %q, want %q", name, got, want)
	}
}

func crop(x0, y0, x1, y1 int) NewPost {
	return NewPost{PostID: "p", Type: ImagePost, Image: &NewImage{Crop: &Crop{Point{x0, y0}, Point{x1, y1}}}}
}

func TestNewPostCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		post NewPost
		want string
	}{
		{"text", NewPost{PostID: "p", Type: TextOnly, Text: "x"}, ""},
		{"longest text", NewPost{PostID: "p", Type: TextOnly, Text: strings.Repeat("x", MaxText)}, ""},
		{"no text", NewPost{PostID: "p", Type: TextOnly}, "Cannot add text-only post without text"},
		{"no text comes before an image", NewPost{PostID: "p", Type: TextOnly, Image: &NewImage{}, SetAsUserPhoto: yes}, "Cannot add text-only post without text"},
		{"an image", NewPost{PostID: "p", Type: TextOnly, Text: "x", Image: &NewImage{}, SetAsUserPhoto: yes}, "Cannot add text-only post with ImageInput"},
		{"a photo", NewPost{PostID: "p", Type: TextOnly, Text: "x", SetAsUserPhoto: yes}, "Cannot add text-only post with setAsUserPhoto"},
		{"text too long", NewPost{PostID: "p", Type: TextOnly, Text: strings.Repeat("x", MaxText+1)},
			"text is 262145 bytes long: shorten it to at most 262144"},
		{"keywords too long", NewPost{PostID: "p", Type: TextOnly, Text: "x", Keywords: []string{strings.Repeat("x", maxKeywords), "y"}},
			"keywords are 65537 bytes long in total: shorten them to at most 65536"},
		{"image", NewPost{PostID: "p", Type: ImagePost}, ""},
		{"image that becomes the photo", NewPost{PostID: "p", Type: ImagePost, Image: &NewImage{}, SetAsUserPhoto: yes}, ""},
		{"video", NewPost{PostID: "p", Type: VideoPost}, ""},
		{"video with an image", NewPost{PostID: "p", Type: VideoPost, Image: &NewImage{}, SetAsUserPhoto: yes}, "Cannot add video post with ImageInput"},
		{"video as a photo", NewPost{PostID: "p", Type: VideoPost, SetAsUserPhoto: yes}, "Cannot add video post with setAsUserPhoto"},
		{"upper left", crop(-1, -1, -1, -1), "Image crop upperLeft.x cannot be negative"},
		{"upper left, down", crop(0, -1, -1, -1), "Image crop upperLeft.y cannot be negative"},
		{"lower right", crop(0, 0, -1, -1), "Image crop lowerRight.x cannot be negative"},
		{"lower right, down", crop(0, 0, 0, -1), "Image crop lowerRight.y cannot be negative"},
		{"no width", crop(2, 2, 2, 2), "Image crop lowerRight.x must be strictly greater than upperLeft.x"},
		{"no height", crop(2, 2, 3, 2), "Image crop lowerRight.y must be strictly greater than upperLeft.y"},
		{"one pixel", crop(2, 2, 3, 3), ""},
		{"bad id comes first", NewPost{PostID: "a/b", Type: VideoPost},
			"postId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
	} {
		wantRefusal(t, c.name, c.post.Check(), c.want)
	}
}

func TestNewPostFollowsTheOwnersSettings(t *testing.T) {
	for _, c := range []struct {
		name               string
		argument, settings *bool
		want               *bool
	}{
		{"nobody chose", nil, nil, nil},
		{"the setting counts", nil, yes, yes},
		{"also when it is off", nil, no, no},
		{"the argument wins", no, yes, no},
		{"in both directions", yes, no, yes},
		{"and needs no setting", no, nil, no},
	} {
		owner := &User{UserID: "ana", CommentsDisabled: c.settings, LikesDisabled: c.settings, SharingDisabled: c.settings, VerificationHidden: c.settings}
		p := NewPost{
			PostID: "p", Type: TextOnly, Text: "x",
			CommentsDisabled: c.argument, LikesDisabled: c.argument, SharingDisabled: c.argument, VerificationHidden: c.argument,
		}.Post(owner, noon, nil)
		for field, got := range map[string]*bool{
			"commentsDisabled": p.CommentsDisabled, "likesDisabled": p.LikesDisabled,
			"sharingDisabled": p.SharingDisabled, "verificationHidden": p.VerificationHidden,
		} {
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %s = %v, want %v", c.name, field, got, c.want)
			}
		}
	}
}

func TestNewPostMakesACompletedPost(t *testing.T) {
	tags := []TextTag{{"@ben", "ben"}}
	got := NewPost{PostID: "p", Type: TextOnly, Text: "hi @ben", Keywords: []string{"b", "a", "b"}}.Post(&User{UserID: "ana"}, noon, tags)
	want := &Post{
		PostID: "p", PostedByUserID: "ana", Type: TextOnly, Status: PostCompleted, PostedAt: noon,
		Text: "hi @ben", TextTags: tags, Keywords: []string{"b", "a"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("post %+v, want %+v", got, want)
	}
}

func TestPostEditCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  PostType
		edit PostEdit
		want string
	}{
		{"nothing", TextOnly, PostEdit{}, "Empty edit requested"},
		{"text", TextOnly, PostEdit{Text: new("x")}, ""},
		{"no keywords", TextOnly, PostEdit{Keywords: []string{}}, ""},
		{"comments on", TextOnly, PostEdit{CommentsDisabled: no}, ""},
		{"likes off", TextOnly, PostEdit{LikesDisabled: yes}, ""},
		{"sharing on", TextOnly, PostEdit{SharingDisabled: no}, ""},
		{"verification hidden", TextOnly, PostEdit{VerificationHidden: yes}, ""},
		{"a text post without text", TextOnly, PostEdit{Text: new("")}, "Cannot set text to null on text-only post"},
		{"an image without text", ImagePost, PostEdit{Text: new("")}, ""},
		{"text too long", ImagePost, PostEdit{Text: new(strings.Repeat("x", MaxText+1))},
			"text is 262145 bytes long: shorten it to at most 262144"},
		{"keywords too long", TextOnly, PostEdit{Keywords: []string{strings.Repeat("x", maxKeywords+1)}},
			"keywords are 65537 bytes long in total: shorten them to at most 65536"},
	} {
		wantRefusal(t, c.name, c.edit.Check(&Post{Type: c.typ}), c.want)
	}
}

func TestPostEditOf(t *testing.T) {
	old := []TextTag{{"@ben", "ben"}}
	before := Post{PostID: "p", Type: ImagePost, Text: "hi @ben", TextTags: old, Keywords: []string{"a"}, LikesDisabled: yes, CommentCount: 3}
	for _, c := range []struct {
		name   string
		edit   PostEdit
		change func(*Post)
	}{
		{"new text brings new tags", PostEdit{Text: new("hi @cem")}, func(p *Post) { p.Text, p.TextTags, p.TextEditedAt = "hi @cem", []TextTag{{"@cem", "cem"}}, noon }},
		{"other edits keep the tags", PostEdit{SharingDisabled: no}, func(p *Post) { p.SharingDisabled = no }},
		{"keywords are replaced", PostEdit{Keywords: []string{"x", "y", "x"}}, func(p *Post) { p.Keywords = []string{"x", "y"} }},
		{"and taken away", PostEdit{Keywords: []string{}}, func(p *Post) { p.Keywords = []string{} }},
		{"switches are stored as given", PostEdit{LikesDisabled: no, CommentsDisabled: yes, VerificationHidden: no}, func(p *Post) {
			p.LikesDisabled, p.CommentsDisabled, p.VerificationHidden = no, yes, no
		}},
	} {
		want := before
		c.change(&want)
		if got := c.edit.Of(&before, []TextTag{{"@cem", "cem"}}, noon); !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", c.name, *got, want)
		}
	}
	if !reflect.DeepEqual(before.TextTags, old) || before.Text != "hi @ben" {
		t.Error("the edited post was changed in place")
	}
}
