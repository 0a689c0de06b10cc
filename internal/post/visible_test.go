package post_test

import (
	"fmt"
	"reflect"
	"testing"

	"stoa"
	"stoa/internal/kit/page"
	"stoa/store/storetest"
)

const everyMark = stoa.LikeMark | stoa.ViewMark | stoa.FlagMark

func TestWhoSeesAPost(t *testing.T) {
	w := newWorld(t)
	ana, pia := w.user("ana"), w.user("pia", private)
	w.post(ana, "public")
	w.post(ana, "archived")
	w.setStatus("archived", ana, stoa.PostArchived)
	w.post(pia, "private")
	viewers := map[string]stoa.Caller{"ana": ana, "pia": pia}
	for _, name := range []string{"stranger", "follower", "asked", "denied", "blocked", "blocking", "unknown"} {
		viewers[name] = w.user(name)
	}
	for _, owner := range []stoa.Caller{ana, pia} {
		storetest.Follow(t, w.store, viewers["follower"].UserID, owner.UserID, stoa.Following)
		storetest.Follow(t, w.store, viewers["asked"].UserID, owner.UserID, stoa.Requested)
		storetest.Follow(t, w.store, viewers["denied"].UserID, owner.UserID, stoa.FollowDenied)
		storetest.Follow(t, w.store, viewers["blocked"].UserID, owner.UserID, stoa.Following)
		storetest.Block(t, w.calls, owner.UserID, viewers["blocked"].UserID)
		storetest.Block(t, w.calls, viewers["blocking"].UserID, owner.UserID)
	}
	for viewer, want := range map[string][]stoa.PostID{
		"ana":      {"public", "archived"},
		"pia":      {"public", "private"},
		"stranger": {"public"},
		"follower": {"public", "private"},
		"asked":    {"public"},
		"denied":   {"public"},
		"blocked":  {},
		"blocking": {"public"},
	} {
		ids := []stoa.PostID{"public", "archived", "private", "missing", "no/id", ""}
		items, err := w.Items(t.Context(), viewers[viewer].Viewer, ids, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := idsOf(items); !reflect.DeepEqual(got, want) {
			t.Errorf("list for %s: %v, want %v", viewer, got, want)
		}
		posts, err := w.Visible(t.Context(), viewers[viewer].Viewer, ids, stoa.BothWays)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range want {
			if posts[id] == nil {
				t.Errorf("%s does not see %s", viewer, id)
			}
		}
		if len(posts) != len(want) {
			t.Errorf("%s sees %d posts, want %v", viewer, len(posts), want)
		}
	}
	guest, err := w.Visible(t.Context(), stoa.Viewer{UserID: storetest.UserID("without profile")}, []stoa.PostID{"public", "private"}, everyMark)
	if err != nil || len(guest) != 1 || guest["public"] == nil {
		t.Errorf("a viewer without profile sees %v, %v, want the public post", guest, err)
	}
}

func idsOf(posts []*stoa.SeenPost) []stoa.PostID {
	ids := make([]stoa.PostID, len(posts))
	for i, p := range posts {
		ids[i] = p.PostID()
	}
	return ids
}

func TestPostWithoutOwnerIsHidden(t *testing.T) {
	w := newWorld(t)
	ben := w.user("ben")
	storetest.OrphanPost(t, w.calls, "p1")
	posts, err := w.Visible(t.Context(), ben.Viewer, []stoa.PostID{"p1"}, 0)
	if err != nil || len(posts) != 0 {
		t.Errorf("%v, %v, want nothing", posts, err)
	}
}

func TestMarksAreTheViewersOwn(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	if err := w.store.Likes.Add(t.Context(), stoa.Like{
		PostID: "p1", LikedByUserID: ben.UserID, PostedByUserID: ana.UserID, Status: stoa.AnonymouslyLiked, LikedAt: w.now(),
	}, false); err != nil {
		t.Fatal(err)
	}
	storetest.View(t, w.calls, ben.UserID, "p1", w.now())
	storetest.Flag(t, w.calls, ben.UserID, "post/p1")
	for _, c := range []struct {
		viewer stoa.Caller
		d      stoa.Detail
		like   stoa.LikeStatus
		viewed stoa.ViewedStatus
		flag   stoa.FlagStatus
	}{
		{ben, everyMark, stoa.AnonymouslyLiked, stoa.Viewed, stoa.Flagged},
		{ben, 0, stoa.NotLiked, stoa.NotViewed, stoa.NotFlagged},
		{cem, everyMark, stoa.NotLiked, stoa.NotViewed, stoa.NotFlagged},
		{ana, everyMark, stoa.NotLiked, stoa.Viewed, stoa.NotFlagged},
	} {
		posts, err := w.Visible(t.Context(), c.viewer.Viewer, []stoa.PostID{"p1"}, c.d)
		if err != nil {
			t.Fatal(err)
		}
		p := posts["p1"]
		if p.LikeStatus() != c.like || p.ViewedStatus() != c.viewed || p.FlagStatus() != c.flag {
			t.Errorf("%s with detail %b: %s, %s, %s, want %s, %s, %s", c.viewer.User.Username, c.d,
				p.LikeStatus(), p.ViewedStatus(), p.FlagStatus(), c.like, c.viewed, c.flag)
		}
	}
}

func TestItemsByViewedStatus(t *testing.T) {
	w := newWorld(t)
	ana, ben, everybodys := w.user("ana"), w.user("ben"), w.user(stoa.RealUsername)
	w.post(ana, "own")
	w.post(ben, "viewed")
	w.post(ben, "new")
	w.post(everybodys, "real")
	storetest.View(t, w.calls, ana.UserID, "viewed", w.now())
	for _, c := range []struct {
		status *stoa.ViewedStatus
		want   []stoa.PostID
	}{
		{nil, []stoa.PostID{"real", "new", "viewed", "own"}},
		{ptr(stoa.Viewed), []stoa.PostID{"viewed", "own"}},
		{ptr(stoa.NotViewed), []stoa.PostID{"real", "new"}},
	} {
		ids := []stoa.PostID{"real", "new", "viewed", "own"}
		items, err := w.Items(t.Context(), ana.Viewer, ids, c.status, 0)
		if err != nil || !reflect.DeepEqual(idsOf(items), c.want) {
			t.Errorf("%v (%v), want %v", idsOf(items), err, c.want)
		}
		for _, p := range items {
			if p.PostID() == "real" && p.ViewedStatus() != stoa.Viewed {
				t.Error("the field shows a post of the user whom everybody follows as not viewed")
			}
		}
	}
}

func TestPageOfPostsTakesTwoCalls(t *testing.T) {
	w := newWorld(t)
	viewer := w.user("viewer")
	var ids []stoa.PostID
	for i := range 20 {
		owner := w.user(fmt.Sprintf("owner%02d", i))
		w.user(fmt.Sprintf("tagged%02d", i))
		id := stoa.PostID(fmt.Sprintf("p%02d", i))
		n := stoa.NewPost{PostID: id, Type: stoa.TextOnly, Text: fmt.Sprintf("with @tagged%02d", i)}
		if _, err := w.Add(t.Context(), owner, n); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for _, c := range []struct {
		name  string
		d     stoa.Detail
		calls int
	}{
		{"bare", 0, 2},
		{"with all marks", everyMark, 2},
		{"with marks and both ways", everyMark | stoa.BothWays, 2},
		{"with mentions", everyMark | stoa.TaggedUsers, 3},
	} {
		w.calls.Reset()
		items, err := w.Items(t.Context(), viewer.Viewer, ids, nil, c.d)
		if err != nil || len(items) != 20 {
			t.Fatalf("%s: %d items, %v", c.name, len(items), err)
		}
		if w.calls.Total() != c.calls {
			t.Errorf("%s: %v, want %d calls", c.name, w.calls, c.calls)
		}
		if tags := len(items[7].TextTaggedUsers()); (tags == 1) != c.d.Has(stoa.TaggedUsers) {
			t.Errorf("%s: %d mentioned users", c.name, tags)
		}
	}
	w.calls.Reset()
	if items, err := w.Items(t.Context(), viewer.Viewer, nil, nil, everyMark); err != nil || items == nil || len(items) != 0 || w.calls.Total() != 0 {
		t.Errorf("an empty page is %v, %v after %v, want an empty list for nothing", items, err, w.calls)
	}
}

func TestByUser(t *testing.T) {
	w := newWorld(t)
	ana, pia, ben := w.user("ana"), w.user("pia", private), w.user("ben")
	for i := range 5 {
		w.post(ana, stoa.PostID(fmt.Sprintf("p%d", i)))
	}
	w.post(pia, "private")
	w.setStatus("p1", ana, stoa.PostArchived)
	blocked := w.user("blocked")
	storetest.Block(t, w.calls, ana.UserID, blocked.UserID)

	newest := []stoa.PostID{"p4", "p3", "p2", "p0"}
	for _, c := range []struct {
		name   string
		of     *stoa.SeenUser
		status *stoa.PostStatus
		typ    *stoa.PostType
		want   []stoa.PostID
		hidden bool
		err    string
	}{
		{name: "one's own", of: w.self(ana), want: newest},
		{name: "another's", of: w.as(ben, ana), want: newest},
		{name: "another's completed", of: w.as(ben, ana), status: ptr(stoa.PostCompleted), want: newest},
		{name: "of a type", of: w.as(ben, ana), typ: ptr(stoa.TextOnly), want: newest},
		{name: "of a type that there is none of", of: w.as(ben, ana), typ: ptr(stoa.VideoPost), want: []stoa.PostID{}},
		{name: "one's own archived", of: w.self(ana), status: ptr(stoa.PostArchived), want: []stoa.PostID{"p1"}},
		{name: "another's archived", of: w.as(ben, ana), status: ptr(stoa.PostArchived), err: "May only retrieve COMPLETED posts of other users"},
		{name: "archived of a private user", of: w.as(ben, pia), status: ptr(stoa.PostArchived), err: "May only retrieve COMPLETED posts of other users"},
		{name: "of a private user", of: w.as(ben, pia), hidden: true},
		{name: "of oneself as a private user", of: w.self(pia), want: []stoa.PostID{"private"}},
		{name: "of a user who blocks", of: w.as(blocked, ana), hidden: true},
	} {
		got, err := w.ByUser(t.Context(), c.of, c.status, c.typ, page.Args{})
		t.Log(c.name)
		want(t, err, c.err)
		switch {
		case c.hidden || c.err != "":
			if got != nil {
				t.Errorf("%s: %v, want nothing", c.name, got.Items)
			}
		case got == nil || !reflect.DeepEqual(got.Items, c.want) || got.Next != "":
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
		_, err = w.ByUser(t.Context(), c.of, c.status, c.typ, page.Args{Limit: ptr(101)})
		want(t, err, page.ErrLimit.Error())
	}
}

func TestByUserByPages(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	for i := range 5 {
		w.post(ana, stoa.PostID(fmt.Sprintf("p%d", i)))
	}
	w.post(ben, "other")
	var got []stoa.PostID
	args := page.Args{Limit: ptr(2)}
	for pages := 1; ; pages++ {
		p, err := w.ByUser(t.Context(), w.self(ana), nil, nil, args)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Items...)
		if args.NextToken = p.Token(); args.NextToken == nil {
			if pages != 3 {
				t.Errorf("%d pages, want 3", pages)
			}
			break
		}
		if _, err := w.ByUser(t.Context(), w.self(ben), nil, nil, args); err != page.ErrToken {
			t.Errorf("a token of another user's list: %v, want %v", err, page.ErrToken)
		}
	}
	if want := []stoa.PostID{"p4", "p3", "p2", "p1", "p0"}; !reflect.DeepEqual(got, want) {
		t.Errorf("pages hold %v, want %v", got, want)
	}
	_, err := w.ByUser(t.Context(), w.self(ana), nil, nil, page.Args{NextToken: ptr("nonsense")})
	want(t, err, page.ErrToken.Error())
}
