package post_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/store"
	"stoa/store/storetest"
)

var everyMark = social.LikeMark | social.ViewMark | social.FlagMark

// everything is what an answer can show.
var everything = social.Details.All()

func TestWhoSeesAPost(t *testing.T) {
	w := newWorld(t)
	ana, pia := w.user("ana"), w.user("pia", private)
	w.post(ana, "public")
	w.post(ana, "archived")
	w.setStatus("archived", ana, social.PostArchived)
	w.post(pia, "private")
	viewers := map[string]social.Caller{"ana": ana, "pia": pia}
	for _, name := range []string{"stranger", "follower", "asked", "denied", "blocked", "blocking", "unknown"} {
		viewers[name] = w.user(name)
	}
	for _, owner := range []social.Caller{ana, pia} {
		storetest.Follow(t, w.store, viewers["follower"].UserID, owner.UserID, social.Following)
		storetest.Follow(t, w.store, viewers["asked"].UserID, owner.UserID, social.FollowRequested)
		storetest.Follow(t, w.store, viewers["denied"].UserID, owner.UserID, social.FollowDenied)
		storetest.Follow(t, w.store, viewers["blocked"].UserID, owner.UserID, social.Following)
		storetest.Block(t, w.calls, owner.UserID, viewers["blocked"].UserID)
		storetest.Block(t, w.calls, viewers["blocking"].UserID, owner.UserID)
	}
	for viewer, want := range map[string][]social.PostID{
		"ana":      {"public", "archived"},
		"pia":      {"public", "private"},
		"stranger": {"public"},
		"follower": {"public", "private"},
		"asked":    {"public"},
		"denied":   {"public"},
		"blocked":  {},
		"blocking": {"public"},
	} {
		ids := []social.PostID{"public", "archived", "private", "missing", "no/id", ""}
		items, err := w.Items(t.Context(), viewers[viewer].Viewer, ids, social.PostChoice{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := idsOf(items); !reflect.DeepEqual(got, want) {
			t.Errorf("list for %s: %v, want %v", viewer, got, want)
		}
		posts, err := w.Visible(t.Context(), viewers[viewer].Viewer, ids, social.BothWays)
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
	guest, err := w.Visible(t.Context(), social.Viewer{UserID: storetest.UserID("without profile")}, []social.PostID{"public", "private"}, everyMark)
	if err != nil || len(guest) != 1 || guest["public"] == nil {
		t.Errorf("a viewer without profile sees %v, %v, want the public post", guest, err)
	}
}

func idsOf(posts []*social.SeenPost) []social.PostID {
	ids := make([]social.PostID, len(posts))
	for i, p := range posts {
		ids[i] = p.PostID()
	}
	return ids
}

func TestPostWithoutOwnerIsHidden(t *testing.T) {
	w := newWorld(t)
	ben := w.user("ben")
	storetest.OrphanPost(t, w.calls, "p1")
	posts, err := w.Visible(t.Context(), ben.Viewer, []social.PostID{"p1"}, 0)
	if err != nil || len(posts) != 0 {
		t.Errorf("%v, %v, want nothing", posts, err)
	}
}

func TestMarksAreTheViewersOwn(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	if err := w.store.Likes.Add(t.Context(), social.Like{
		PostID: "p1", LikedByUserID: ben.UserID, PostedByUserID: ana.UserID, Status: social.AnonymouslyLiked, LikedAt: w.now(),
	}, false); err != nil {
		t.Fatal(err)
	}
	storetest.View(t, w.calls, ben.UserID, "p1", w.now())
	storetest.Flag(t, w.calls, ben.UserID, "post/p1")
	for _, c := range []struct {
		viewer social.Caller
		like   social.LikeStatus
		viewed social.ViewedStatus
		flag   social.FlagStatus
	}{
		{ben, social.AnonymouslyLiked, social.Viewed, social.Flagged},
		{cem, social.NotLiked, social.NotViewed, social.NotFlagged},
		{ana, social.NotLiked, social.Viewed, social.NotFlagged},
	} {
		posts, err := w.Visible(t.Context(), c.viewer.Viewer, []social.PostID{"p1"}, everyMark)
		if err != nil {
			t.Fatal(err)
		}
		p := posts["p1"]
		if p.LikeStatus() != c.like || p.ViewedStatus() != c.viewed || p.FlagStatus() != c.flag {
			t.Errorf("%s: %s, %s, %s, want %s, %s, %s", c.viewer.User.Username,
				p.LikeStatus(), p.ViewedStatus(), p.FlagStatus(), c.like, c.viewed, c.flag)
		}
	}
}

// Marks on a post that was deleted do not count for a newer one with its id.
func TestMarksOfAnOlderPostDoNotCount(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	p := w.post(ana, "p1")
	storetest.View(t, w.calls, ben.UserID, "p1", p.PostedAt().Add(-time.Microsecond))
	storetest.Flag(t, w.calls, ben.UserID, "post/p1")
	row := storetest.Get(t, w.calls, store.Main.Name, "post/p1", "flag/"+string(ben.UserID))
	row["createdAt"] = p.PostedAt().Add(-time.Microsecond).Format("2006-01-02T15:04:05.000000Z")
	storetest.Put(t, w.calls, store.Main.Name, row)
	posts, err := w.Visible(t.Context(), ben.Viewer, []social.PostID{"p1"}, everyMark)
	if err != nil {
		t.Fatal(err)
	}
	if p := posts["p1"]; p.ViewedStatus() != social.NotViewed || p.FlagStatus() != social.NotFlagged {
		t.Errorf("seen as %s, %s", p.ViewedStatus(), p.FlagStatus())
	}
}

func TestItemsByViewedStatus(t *testing.T) {
	w := newWorld(t)
	ana, ben, everybodys := w.user("ana"), w.user("ben"), w.user(social.RealUsername)
	w.post(ana, "own")
	w.post(ben, "viewed")
	w.post(ben, "new")
	w.post(everybodys, "real")
	storetest.View(t, w.calls, ana.UserID, "viewed", w.now())
	for _, c := range []struct {
		status *social.ViewedStatus
		want   []social.PostID
	}{
		{nil, []social.PostID{"real", "new", "viewed", "own"}},
		{ptr(social.Viewed), []social.PostID{"viewed", "own"}},
		{ptr(social.NotViewed), []social.PostID{"real", "new"}},
	} {
		ids := []social.PostID{"real", "new", "viewed", "own"}
		items, err := w.Items(t.Context(), ana.Viewer, ids, social.PostChoice{ViewedStatus: c.status}, social.ViewMark)
		if err != nil || !reflect.DeepEqual(idsOf(items), c.want) {
			t.Errorf("%v (%v), want %v", idsOf(items), err, c.want)
		}
		for _, p := range items {
			if p.PostID() == "real" && p.ViewedStatus() != social.Viewed {
				t.Error("the field shows a post of the user whom everybody follows as not viewed")
			}
		}
	}
}

func TestPageOfPostsTakesTwoCalls(t *testing.T) {
	w := newWorld(t)
	viewer := w.user("viewer")
	var ids []social.PostID
	for i := range 20 {
		owner := w.user(fmt.Sprintf("owner%02d", i))
		w.user(fmt.Sprintf("tagged%02d", i))
		id := social.PostID(fmt.Sprintf("p%02d", i))
		n := social.NewPost{PostID: id, Type: social.TextOnly, Text: fmt.Sprintf("with @tagged%02d", i)}
		if _, err := w.Add(t.Context(), owner, n, everything); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	for _, c := range []struct {
		name  string
		d     social.Detail
		calls int
	}{
		{"bare", 0, 2},
		{"with all marks", everyMark, 2},
		{"with marks and both ways", everyMark | social.BothWays, 2},
		{"with mentions", everyMark | social.TaggedUsers, 3},
	} {
		w.calls.Reset()
		items, err := w.Items(t.Context(), viewer.Viewer, ids, social.PostChoice{}, c.d)
		if err != nil || len(items) != 20 {
			t.Fatalf("%s: %d items, %v", c.name, len(items), err)
		}
		if w.calls.Total() != c.calls {
			t.Errorf("%s: %v, want %d calls", c.name, w.calls, c.calls)
		}
		if c.d.Has(social.TaggedUsers) && len(items[7].TextTaggedUsers()) != 1 {
			t.Errorf("%s: the mentioned user is missing", c.name)
		}
	}
	w.calls.Reset()
	if items, err := w.Items(t.Context(), viewer.Viewer, nil, social.PostChoice{}, everyMark); err != nil || items == nil || len(items) != 0 || w.calls.Total() != 0 {
		t.Errorf("an empty page is %v, %v after %v, want an empty list for nothing", items, err, w.calls)
	}
}

func TestByUser(t *testing.T) {
	w := newWorld(t)
	ana, pia, ben := w.user("ana"), w.user("pia", private), w.user("ben")
	for i := range 5 {
		w.post(ana, social.PostID(fmt.Sprintf("p%d", i)))
	}
	w.post(pia, "private")
	w.setStatus("p1", ana, social.PostArchived)
	blocked := w.user("blocked")
	storetest.Block(t, w.calls, ana.UserID, blocked.UserID)

	newest := []social.PostID{"p4", "p3", "p2", "p0"}
	for _, c := range []struct {
		name   string
		of     *social.SeenUser
		status *social.PostStatus
		typ    *social.PostType
		want   []social.PostID
		hidden bool
		err    string
	}{
		{name: "one's own", of: w.self(ana), want: newest},
		{name: "another's", of: w.as(ben, ana), want: newest},
		{name: "another's completed", of: w.as(ben, ana), status: ptr(social.PostCompleted), want: newest},
		{name: "of a type", of: w.as(ben, ana), typ: ptr(social.TextOnly), want: newest},
		{name: "of a type that there is none of", of: w.as(ben, ana), typ: ptr(social.VideoPost), want: []social.PostID{}},
		{name: "one's own archived", of: w.self(ana), status: ptr(social.PostArchived), want: []social.PostID{"p1"}},
		{name: "another's archived", of: w.as(ben, ana), status: ptr(social.PostArchived), err: "May only retrieve COMPLETED posts of other users"},
		{name: "archived of a private user", of: w.as(ben, pia), status: ptr(social.PostArchived), err: "May only retrieve COMPLETED posts of other users"},
		{name: "of a private user", of: w.as(ben, pia), hidden: true},
		{name: "of oneself as a private user", of: w.self(pia), want: []social.PostID{"private"}},
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
		w.post(ana, social.PostID(fmt.Sprintf("p%d", i)))
	}
	w.post(ben, "other")
	var got []social.PostID
	args := page.Args{Limit: ptr(2)}
	for pages := 1; ; pages++ {
		p, err := w.ByUser(t.Context(), w.self(ana), nil, nil, args)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Items...)
		if args.NextToken = p.NextToken(); args.NextToken == nil {
			if pages != 3 {
				t.Errorf("%d pages, want 3", pages)
			}
			break
		}
		if _, err := w.ByUser(t.Context(), w.self(ben), nil, nil, args); err != page.ErrToken {
			t.Errorf("a token of another user's list: %v, want %v", err, page.ErrToken)
		}
	}
	if want := []social.PostID{"p4", "p3", "p2", "p1", "p0"}; !reflect.DeepEqual(got, want) {
		t.Errorf("pages hold %v, want %v", got, want)
	}
	_, err := w.ByUser(t.Context(), w.self(ana), nil, nil, page.Args{NextToken: ptr("nonsense")})
	want(t, err, page.ErrToken.Error())
}
