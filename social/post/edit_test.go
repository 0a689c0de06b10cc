package post_test

import (
	"context"
	"reflect"
	"testing"

	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
)

func TestEditRefuses(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	before := w.stored("p1")
	for _, c := range []struct {
		name   string
		caller social.Caller
		id     social.PostID
		edit   social.PostEdit
		want   string
	}{
		{"no such post", ana, "p2", social.PostEdit{}, "Post `p2` does not exist"},
		{"an id that no post has", ana, "p/1", social.PostEdit{}, "Post `p/1` does not exist"},
		{"another's post", ben, "p1", social.PostEdit{}, "Cannot edit another User's post"},
		{"nothing to do", ana, "p1", social.PostEdit{}, "Empty edit requested"},
		{"no text left", ana, "p1", social.PostEdit{Text: ptr("")}, "Cannot set text to null on text-only post"},
	} {
		_, err := w.Edit(t.Context(), c.caller, c.id, c.edit, everything)
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
		edit   social.PostEdit
		change func(*social.Post)
	}{
		{"text", social.PostEdit{Text: ptr("new")}, func(p *social.Post) { p.Text = "new" }},
		{"keywords", social.PostEdit{Keywords: []string{"x", "y", "x"}}, func(p *social.Post) { p.Keywords = []string{"x", "y"} }},
		{"no keywords", social.PostEdit{Keywords: []string{}}, func(p *social.Post) { p.Keywords = []string{} }},
		{"comments off", social.PostEdit{CommentsDisabled: ptr(true)}, func(p *social.Post) { p.CommentsDisabled = ptr(true) }},
		{"comments on", social.PostEdit{CommentsDisabled: ptr(false)}, func(p *social.Post) { p.CommentsDisabled = ptr(false) }},
		{"the rest", social.PostEdit{LikesDisabled: ptr(true), SharingDisabled: ptr(true), VerificationHidden: ptr(false)},
			func(p *social.Post) {
				p.LikesDisabled, p.SharingDisabled, p.VerificationHidden = ptr(true), ptr(true), ptr(false)
			}},
	} {
		answer, err := w.Edit(t.Context(), ana, "p1", c.edit, everything)
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
	if _, err := w.Add(t.Context(), ana, social.NewPost{PostID: "p1", Type: social.TextOnly, Text: "@ben @cem"}, everything); err != nil {
		t.Fatal(err)
	}
	renamed := *ben.User
	renamed.Username = "benno"
	if err := w.store.Users.Change(t.Context(), ben.User, &renamed); err != nil {
		t.Fatal(err)
	}
	tags := func(p *social.SeenPost, err error) (got []string) {
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
		edit social.PostEdit
		want []string
	}{
		{"an edit without text", social.PostEdit{LikesDisabled: ptr(true)}, []string{"@ben benno", "@cem cem"}},
		{"the same text again", social.PostEdit{Text: ptr("@ben @cem")}, []string{"@cem cem"}},
		{"a text with the new name", social.PostEdit{Text: ptr("@benno")}, []string{"@benno benno"}},
		{"a text without mentions", social.PostEdit{Text: ptr("nobody")}, nil},
	} {
		if got := tags(w.Edit(t.Context(), ana, "p1", c.edit, everything)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: tags %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEditInEveryStatus(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	for _, status := range []social.PostStatus{social.PostPending, social.PostProcessing, social.PostError, social.PostArchived} {
		w.setStatus("p1", ana, status)
		p, err := w.Edit(t.Context(), ana, "p1", social.PostEdit{Text: ptr("in " + string(status))}, everything)
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

func (i *interposed) Edit(ctx context.Context, before, p *social.Post, edit social.PostEdit, e ...outbox.Record) error {
	i.once()
	return i.Posts.Edit(ctx, before, p, edit, e...)
}

func (i *interposed) Take(ctx context.Context, step social.PostStep, e ...outbox.Record) error {
	i.once()
	return i.Posts.Take(ctx, step, e...)
}

func TestEditsAtTheSameTimeKeepBothChanges(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	w.Store = &interposed{Posts: w.store.Posts, meanwhile: func() {
		if _, err := w.Edit(t.Context(), ana, "p1", social.PostEdit{Keywords: []string{"k"}}, everything); err != nil {
			t.Error(err)
		}
	}}
	if _, err := w.Edit(t.Context(), ana, "p1", social.PostEdit{Text: ptr("new")}, everything); err != nil {
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
		owner social.Caller
	}{
		{name: "gone", then: func() {}, want: "Post `p1` does not exist"},
		{name: "its id given to another's post", then: func() { w.post(ben, "p1") }, want: "Cannot edit another User's post", owner: ben},
	} {
		w.post(ana, "p1")
		w.Store = &interposed{Posts: w.store.Posts, meanwhile: func() {
			if _, err := w.Delete(t.Context(), ana, "p1", everything); err != nil {
				t.Error(err)
			}
			c.then()
		}}
		_, err := w.Edit(t.Context(), ana, "p1", social.PostEdit{Text: ptr("new")}, everything)
		t.Log(c.name)
		want(t, err, c.want)
		if p := w.stored("p1"); p != nil && p.Text == "new" {
			t.Errorf("%s: the edit changed %+v", c.name, p)
		}
	}
}
