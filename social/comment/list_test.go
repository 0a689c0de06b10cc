package comment_test

import (
	"fmt"
	"reflect"
	"testing"

	"stoa/internal/kit/page"
	"stoa/social"
	"stoa/store/storetest"
)

var all = page.Query{First: page.Max}

func TestOfPostByPages(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	w.post(ana, "p2")
	for i := range 5 {
		w.comment(ben, "p1", social.CommentID(fmt.Sprint("c", i)))
		w.comment(ben, "p2", social.CommentID(fmt.Sprint("other", i)))
	}
	for reverse, want := range map[bool][]social.CommentID{
		false: {"c0", "c1", "c2", "c3", "c4"},
		true:  {"c4", "c3", "c2", "c1", "c0"},
	} {
		var got []social.CommentID
		args := page.Args{Limit: ptr(2)}
		for {
			p, err := w.OfPost(t.Context(), ben.Viewer, w.postAs(ben, "p1"), args, reverse, 0)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, idsOf(p.Items)...)
			if args.NextToken = p.NextToken(); args.NextToken == nil {
				break
			}
			for _, other := range []struct {
				post    social.PostID
				reverse bool
			}{{"p2", reverse}, {"p1", !reverse}} {
				if _, err := w.OfPost(t.Context(), ben.Viewer, w.postAs(ben, other.post), args, other.reverse, 0); err != page.ErrToken {
					t.Errorf("a token of another list gives %v, want %v", err, page.ErrToken)
				}
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("reverse %v: %v, want %v", reverse, got, want)
		}
	}
}

func TestOfPostLeavesOutAuthorsWhoBlockOrAreGone(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem, pia := w.user("ana"), w.user("ben"), w.user("cem"), w.user("pia", private)
	w.post(ana, "p1")
	for _, c := range []social.Caller{ben, cem, pia} {
		w.comment(c, "p1", social.CommentID("by-"+c.User.Username))
	}
	storetest.Block(t, w.calls, ben.UserID, ana.UserID)
	storetest.Block(t, w.calls, ana.UserID, cem.UserID)
	storetest.Put(t, w.calls, "main", map[string]any{
		"partitionKey": "comment/orphan", "sortKey": "-", "schemaVersion": 1, "commentId": "orphan", "postId": "p1",
		"userId": storetest.UserID("gone"), "commentedAt": "2030-01-01T12:00:00.000000Z", "text": "x",
		"gsiA1PartitionKey": "comment/p1", "gsiA1SortKey": "2030-01-01T12:00:00.000000Z",
	})
	for _, c := range []struct {
		viewer social.Caller
		want   []social.CommentID
	}{
		{ana, []social.CommentID{"by-cem", "by-pia"}},
		{pia, []social.CommentID{"by-ben", "by-cem", "by-pia"}},
	} {
		if got := idsOf(w.list(c.viewer, "p1", 0)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s sees %v, want %v", c.viewer.User.Username, got, c.want)
		}
		if n := *w.postAs(c.viewer, "p1").CommentsCount(nil); n != 3 {
			t.Errorf("%s is told of %d comments, want 3: counts hide nobody", c.viewer.User.Username, n)
		}
	}
}

func TestOfPostShowsTheViewersMarks(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	c1 := w.comment(ben, "p1", "c1")
	w.comment(cem, "p1", "c2")
	for _, viewer := range []social.Caller{ana, ben} {
		storetest.View(t, w.calls, viewer.UserID, "p1", c1.CommentedAt())
	}
	storetest.Flag(t, w.calls, ana.UserID, "comment/c2")
	marks := social.ViewMark | social.FlagMark
	for _, c := range []struct {
		viewer social.Caller
		d      social.Detail
		viewed []social.ViewedStatus
		flags  []social.FlagStatus
	}{
		{ana, marks, []social.ViewedStatus{social.Viewed, social.NotViewed}, []social.FlagStatus{social.NotFlagged, social.Flagged}},
		{ana, social.FlagMark, nil, []social.FlagStatus{social.NotFlagged, social.Flagged}},
		{ana, social.ViewMark, []social.ViewedStatus{social.Viewed, social.NotViewed}, nil},
		{ben, marks, []social.ViewedStatus{social.Viewed, social.NotViewed}, []social.FlagStatus{social.NotFlagged, social.NotFlagged}},
		{cem, marks, []social.ViewedStatus{social.NotViewed, social.Viewed}, []social.FlagStatus{social.NotFlagged, social.NotFlagged}},
	} {
		for i, comment := range w.list(c.viewer, "p1", c.d) {
			who := fmt.Sprintf("%s with details %s, comment %d", c.viewer.User.Username, social.Details.String(c.d), i)
			if c.viewed != nil && comment.ViewedStatus() != c.viewed[i] {
				t.Errorf("%s: %s, want %s", who, comment.ViewedStatus(), c.viewed[i])
			}
			if c.flags != nil && comment.FlagStatus() != c.flags[i] {
				t.Errorf("%s: %s, want %s", who, comment.FlagStatus(), c.flags[i])
			}
		}
	}
}

func TestOfPostWhileCommentsAreOff(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1", func(p *social.Post) { p.CommentsDisabled = ptr(true) })
	p, err := w.OfPost(t.Context(), ana.Viewer, w.postAs(ana, "p1"), page.Args{}, false, 0)
	if p != nil || err != nil {
		t.Errorf("%v, %v, want nothing", p, err)
	}
	if _, err := w.OfPost(t.Context(), ana.Viewer, w.postAs(ana, "p1"), page.Args{Limit: ptr(0)}, false, 0); err != page.ErrLimit {
		t.Errorf("a bad limit gives %v, want %v before anything else", err, page.ErrLimit)
	}
}

func TestPostWithTwentyCommentsTakesFiveCalls(t *testing.T) {
	w := newWorld(t)
	ana, viewer := w.user("ana"), w.user("viewer")
	w.post(ana, "p1")
	for i := range 20 {
		w.comment(w.user(fmt.Sprint("user", i)), "p1", social.CommentID(fmt.Sprint("c", i)))
	}
	for _, c := range []struct {
		name  string
		d     social.Detail
		calls int
	}{
		{"authors only", 0, 2},
		{"with marks and both ways", social.ViewMark | social.FlagMark | social.BothWays, 3},
	} {
		p := w.postAs(viewer, "p1")
		w.calls.Reset()
		comments, err := w.OfPost(t.Context(), viewer.Viewer, p, page.Args{}, false, c.d)
		if err != nil || len(comments.Items) != 20 {
			t.Fatalf("%s: %v, %v", c.name, comments, err)
		}
		if w.calls.Total() != c.calls {
			t.Errorf("%s: %v, want %d calls beside two for the post and its owner", c.name, w.calls, c.calls)
		}
	}
	w.post(ana, "p2")
	p := w.postAs(viewer, "p2")
	w.calls.Reset()
	comments, err := w.OfPost(t.Context(), viewer.Viewer, p, page.Args{}, false, social.ViewMark)
	if err != nil || comments.Items == nil || len(comments.Items) != 0 || w.calls.Total() != 1 {
		t.Errorf("a post without comments: %v, %v after %v, want an empty list from one call", comments, err, w.calls)
	}
}
