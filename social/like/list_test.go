package like_test

import (
	"fmt"
	"reflect"
	"testing"

	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/store/storetest"
)

func TestLikedBy(t *testing.T) {
	w := newWorld(t)
	ana, off := w.user("ana"), w.user("off")
	w.post(ana, "p1")
	w.post(off, "p2")
	w.post(ana, "closed")
	var want []social.UserID
	for i := range 5 {
		c := w.user(fmt.Sprint("fan", i))
		want = append(want, c.UserID)
		w.like("p1", social.OnymouslyLiked, c)
		w.like("p2", social.OnymouslyLiked, c)
		w.like("p1", social.AnonymouslyLiked, w.user(fmt.Sprint("secret", i)))
	}
	var got []social.UserID
	args := page.Args{Limit: ptr(2)}
	for {
		p, err := w.LikedBy(t.Context(), w.postAs(ana, ana, "p1"), args)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Items...)
		if args.NextToken = p.NextToken(); args.NextToken == nil {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("likers %v, want the first first: %v", got, want)
	}

	changed := *off.User
	changed.LikesDisabled = ptr(true)
	if err := w.store.Users.Change(t.Context(), off.User, &changed); err != nil {
		t.Fatal(err)
	}
	closed := w.postAs(ana, ana, "closed")
	w.givenBeforeLikesWentOff(social.Like{
		PostID: "closed", LikedByUserID: off.UserID, PostedByUserID: ana.UserID, Status: social.OnymouslyLiked, LikedAt: w.now(),
	})
	for _, c := range []struct {
		name string
		post *social.SeenPost
		want int
	}{
		{"one's own", w.postAs(ana, ana, "p1"), 5},
		{"another's", w.postAs(off, ana, "p1"), -1},
		{"one's own while likes are off for oneself", w.postAs(off, off, "p2"), -1},
		{"one's own while likes are off for the post", w.postAs(ana, ana, "closed"), -1},
		{"one's own before", closed, 1},
	} {
		p, err := w.LikedBy(t.Context(), c.post, page.Args{})
		if err != nil || (p == nil) != (c.want < 0) || p != nil && len(p.Items) != c.want {
			t.Errorf("%s: %+v, %v, want %d", c.name, p, err, c.want)
		}
		if _, err := w.LikedBy(t.Context(), c.post, page.Args{Limit: ptr(0)}); err != page.ErrLimit {
			t.Errorf("%s: a bad limit gives %v", c.name, err)
		}
	}
}

func TestLikedPosts(t *testing.T) {
	w := newWorld(t)
	ana, pia, ben, blocked := w.user("ana"), w.user("pia", private), w.user("ben"), w.user("blocked")
	storetest.Block(t, w.calls, pia.UserID, blocked.UserID)
	for _, id := range []social.PostID{"p1", "p2", "p3", "p4"} {
		w.post(ana, id)
	}
	w.like("p1", social.OnymouslyLiked, pia)
	w.like("p2", social.OnymouslyLiked, pia)
	w.like("p3", social.AnonymouslyLiked, pia)
	w.like("p4", social.AnonymouslyLiked, pia)
	if _, err := w.Dislike(t.Context(), pia, "p1", everything); err != nil {
		t.Fatal(err)
	}
	w.like("p1", social.OnymouslyLiked, pia)

	shown, hidden := []social.PostID{"p1", "p2"}, []social.PostID{"p4", "p3"}
	for _, c := range []struct {
		name   string
		viewer social.Caller
		status social.LikeStatus
		want   []social.PostID
	}{
		{"one's own", pia, social.OnymouslyLiked, shown},
		{"one's own hidden ones", pia, social.AnonymouslyLiked, hidden},
		{"those of a private user", ben, social.OnymouslyLiked, shown},
		{"hidden ones of another", ben, social.AnonymouslyLiked, nil},
		{"those of a user who blocks", blocked, social.OnymouslyLiked, nil},
		{"hidden ones of a user who blocks", blocked, social.AnonymouslyLiked, nil},
	} {
		of := w.as(c.viewer, pia)
		p, err := w.LikedPosts(t.Context(), of, c.status, page.Args{})
		if err != nil || (p == nil) != (c.want == nil) || p != nil && !reflect.DeepEqual(p.Items, c.want) {
			t.Errorf("%s: %+v, %v, want %v, latest first", c.name, p, err, c.want)
		}
		if _, err := w.LikedPosts(t.Context(), of, c.status, page.Args{Limit: ptr(101)}); err != page.ErrLimit {
			t.Errorf("%s: a bad limit gives %v", c.name, err)
		}
	}
	p, err := w.LikedPosts(t.Context(), w.as(pia, pia), social.OnymouslyLiked, page.Args{Limit: ptr(1)})
	if err != nil || p.Next == "" {
		t.Fatalf("first page %+v, %v", p, err)
	}
	if _, err := w.LikedPosts(t.Context(), w.as(pia, pia), social.AnonymouslyLiked, page.Args{NextToken: p.NextToken()}); err != page.ErrToken {
		t.Errorf("a token of the other list gives %v, want %v", err, page.ErrToken)
	}
}
