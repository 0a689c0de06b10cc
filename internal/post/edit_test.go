package post_test

import (
	"context"
	"reflect"
	"testing"

	"stoa"
	"stoa/store"
)

func TestEditRefuses(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	before := w.stored("p1")
	for _, c := range []struct {
		name   string
		caller stoa.Caller
		id     stoa.PostID
		edit   stoa.PostEdit
		want   string
	}{
		{"no such post", ana, "p2", stoa.PostEdit{}, "Post `p2` does not exist"},
		{"an id that no post has", ana, "p/1", stoa.PostEdit{}, "Post `p/1` does not exist"},
		{"another's post", ben, "p1", stoa.PostEdit{}, "Cannot edit another User's post"},
		{"nothing to do", ana, "p1", stoa.PostEdit{}, "Empty edit requested"},
		{"no text left", ana, "p1", stoa.PostEdit{Text: ptr("")}, "Cannot set text to null on text-only post"},
	} {
		_, err := w.Edit(t.Context(), c.caller, c.id, c.edit)
		t.Log(c.name)
		want(t, err, c.want)
	}
	if after := w.stored("p1"); !reflect.DeepEqual(after, before) {
		t.Errorf("refused edits made %+v of %+v", after, before)
	}
}

func TestEditChangesWhatIsGivenOnly(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	expected := w.stored("p1")
	for _, c := range []struct {
		name   string
		edit   stoa.PostEdit
		change func(*stoa.Post)
	}{
		{"text", stoa.PostEdit{Text: ptr("new")}, func(p *stoa.Post) { p.Text = "new" }},
		{"keywords", stoa.PostEdit{Keywords: []string{"x", "y", "x"}}, func(p *stoa.Post) { p.Keywords = []string{"x", "y"} }},
		{"no keywords", stoa.PostEdit{Keywords: []string{}}, func(p *stoa.Post) { p.Keywords = []string{} }},
		{"comments off", stoa.PostEdit{CommentsDisabled: ptr(true)}, func(p *stoa.Post) { p.CommentsDisabled = ptr(true) }},
		{"comments on", stoa.PostEdit{CommentsDisabled: ptr(false)}, func(p *stoa.Post) { p.CommentsDisabled = ptr(false) }},
		{"the rest", stoa.PostEdit{LikesDisabled: ptr(true), SharingDisabled: ptr(true), VerificationHidden: ptr(false)},
			func(p *stoa.Post) {
				p.LikesDisabled, p.SharingDisabled, p.VerificationHidden = ptr(true), ptr(true), ptr(false)
			}},
	} {
		answer, err := w.Edit(t.Context(), ana, "p1", c.edit)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		c.change(expected)
		if got := w.stored("p1"); !reflect.DeepEqual(got, expected) {
			t.Errorf("%s: stored %+v, want %+v", c.name, got, expected)
		}
		if *answer.Text() != expected.Text || !reflect.DeepEqual(answer.Keywords(), expected.Keywords) {
			t.Errorf("%s: the answer shows another state", c.name)
		}
	}
	w.wantEvents(`post.moved p1 from "" to COMPLETED`)
	w.wantCounts(ana, map[string]int{"postCount": 1})
}

func TestEditLooksMentionsUpOnlyWithNewText(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.user("cem")
	if _, err := w.Add(t.Context(), ana, stoa.NewPost{PostID: "p1", Type: stoa.TextOnly, Text: "@ben @cem"}); err != nil {
		t.Fatal(err)
	}
	renamed := *ben.User
	renamed.Username = "benno"
	if err := w.store.Users.Change(t.Context(), ben.User, &renamed); err != nil {
		t.Fatal(err)
	}
	tags := func(p *stoa.SeenPost, err error) (got []string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range p.TextTaggedUsers() {
			got = append(got, tag.Tag+" "+tag.User.Username())
		}
		return got
	}
	for _, c := range []struct {
		name string
		edit stoa.PostEdit
		want []string
	}{
		{"an edit without text", stoa.PostEdit{LikesDisabled: ptr(true)}, []string{"@ben benno", "@cem cem"}},
		{"the same text again", stoa.PostEdit{Text: ptr("@ben @cem")}, []string{"@cem cem"}},
		{"a text with the new name", stoa.PostEdit{Text: ptr("@benno")}, []string{"@benno benno"}},
		{"a text without mentions", stoa.PostEdit{Text: ptr("nobody")}, nil},
	} {
		if got := tags(w.Edit(t.Context(), ana, "p1", c.edit)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: tags %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEditInEveryStatus(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	for _, status := range []stoa.PostStatus{stoa.PostPending, stoa.PostProcessing, stoa.PostError, stoa.PostArchived} {
		w.setStatus("p1", ana, status)
		p, err := w.Edit(t.Context(), ana, "p1", stoa.PostEdit{Text: ptr("in " + string(status))})
		if err != nil || p.PostStatus() != status || w.stored("p1").Text != "in "+string(status) {
			t.Errorf("edit of a post in %s: %v", status, err)
		}
	}
}

// interposed does something else after the facts were read and before they are written
// back.
type interposed struct {
	*store.Posts
	meanwhile func()
}

func (i *interposed) once() {
	if f := i.meanwhile; f != nil {
		i.meanwhile = nil
		f()
	}
}

func (i *interposed) Edit(ctx context.Context, p *stoa.Post, edit stoa.PostEdit) error {
	i.once()
	return i.Posts.Edit(ctx, p, edit)
}

func (i *interposed) Delete(ctx context.Context, p *stoa.Post, e stoa.Event) error {
	i.once()
	return i.Posts.Delete(ctx, p, e)
}

func TestEditsAtTheSameTimeKeepBothChanges(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	w.Store = &interposed{Posts: w.store.Posts, meanwhile: func() {
		if _, err := w.Edit(t.Context(), ana, "p1", stoa.PostEdit{Keywords: []string{"k"}}); err != nil {
			t.Error(err)
		}
	}}
	if _, err := w.Edit(t.Context(), ana, "p1", stoa.PostEdit{Text: ptr("new")}); err != nil {
		t.Fatal(err)
	}
	if p := w.stored("p1"); p.Text != "new" || !reflect.DeepEqual(p.Keywords, []string{"k"}) {
		t.Errorf("stored text %q and keywords %v, want both changes", p.Text, p.Keywords)
	}
}

func TestEditOfAPostThatIsDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	for _, c := range []struct {
		name  string
		then  func()
		want  string
		owner stoa.Caller
	}{
		{name: "gone", then: func() {}, want: "Post `p1` does not exist"},
		{name: "its id given to another's post", then: func() { w.post(ben, "p1") }, want: "Cannot edit another User's post", owner: ben},
	} {
		w.post(ana, "p1")
		w.Store = &interposed{Posts: w.store.Posts, meanwhile: func() {
			if _, err := w.Delete(t.Context(), ana, "p1"); err != nil {
				t.Error(err)
			}
			c.then()
		}}
		_, err := w.Edit(t.Context(), ana, "p1", stoa.PostEdit{Text: ptr("new")})
		t.Log(c.name)
		want(t, err, c.want)
		if p := w.stored("p1"); p != nil && p.Text == "new" {
			t.Errorf("%s: the edit changed %+v", c.name, p)
		}
	}
}
