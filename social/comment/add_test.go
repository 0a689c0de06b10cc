package comment_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
	"stoa/store/storetest"
)

func TestAddCountsEverywhere(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	w.calls.Reset()
	c := w.comment(ben, "p1", "c1")
	if w.calls.Total() != 3 {
		t.Errorf("calls: %v, want 3 beside the check of the caller", w.calls)
	}
	if c.CommentID() != "c1" || c.Text() != "text of c1" || c.CommentedAt() != w.clock || !c.CommentedBy().IsSelf() ||
		c.ViewedStatus() != social.Viewed || c.FlagStatus() != social.NotFlagged || len(c.TextTaggedUsers()) != 0 {
		t.Errorf("answer %+v", c)
	}
	w.wantPost("p1", 1, 1, c.CommentedAt())
	w.wantAuthor(ben, 1, 0)

	w.comment(ana, "p1", "c2")
	w.wantPost("p1", 2, 1, c.CommentedAt())
	w.wantAuthor(ana, 1, 0)

	last := w.comment(cem, "p1", "c3")
	w.wantPost("p1", 3, 2, last.CommentedAt())
	w.wantAuthor(cem, 1, 0)
}

// Posts and comments may be dated by different clocks.
func TestNoCommentComesBeforeItsPost(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	p := w.post(ana, "p1", func(p *social.Post) { p.PostedAt = p.PostedAt.Add(time.Hour) })
	if c := w.comment(ben, "p1", "c1"); !c.CommentedAt().Equal(p.PostedAt) {
		t.Errorf("commented at %v, posted at %v", c.CommentedAt(), p.PostedAt)
	}
	if got := idsOf(w.list(ana, "p1", 0)); len(got) != 1 {
		t.Errorf("the post shows %v", got)
	}
}

func TestAddResolvesMentions(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	cem := w.user("cem")
	storetest.Block(t, w.calls, cem.UserID, ben.UserID)
	w.post(ana, "p1")
	w.calls.Reset()
	c, err := w.Add(t.Context(), ben, "c1", "p1", "@ana @ben, @cem! @nobody @ana.", everything)
	if err != nil {
		t.Fatal(err)
	}
	if w.calls.Total() != 4 {
		t.Errorf("calls: %v, want one more for the names", w.calls)
	}
	var tags []string
	for _, tag := range c.TextTaggedUsers() {
		tags = append(tags, tag.Tag+" "+tag.User.Username())
	}
	if !reflect.DeepEqual(tags, []string{"@ana ana", "@ben ben"}) {
		t.Errorf("tags %v, want ana and ben: cem blocks ben", tags)
	}
	if seen := w.list(ana, "p1", social.TaggedUsers); len(seen[0].TextTaggedUsers()) != 3 {
		t.Errorf("ana sees %d tags, want all three", len(seen[0].TextTaggedUsers()))
	}
}

func TestAddRefuses(t *testing.T) {
	w := newWorld(t)
	ana, pia, ben, blocked, blocking, asked, denied := w.user("ana"), w.user("pia", private), w.user("ben"),
		w.user("blocked"), w.user("blocking"), w.user("asked"), w.user("denied")
	storetest.Block(t, w.calls, ana.UserID, blocked.UserID)
	storetest.Block(t, w.calls, blocking.UserID, ana.UserID)
	storetest.Follow(t, w.store, asked.UserID, pia.UserID, social.FollowRequested)
	storetest.Follow(t, w.store, denied.UserID, pia.UserID, social.FollowDenied)
	w.post(ana, "open")
	w.post(ana, "closed", func(p *social.Post) { p.CommentsDisabled = ptr(true) })
	w.post(pia, "private")
	storetest.OrphanPost(t, w.calls, "orphan")
	w.comment(ben, "open", "taken")
	notFollower := func(c social.Caller) string {
		return fmt.Sprintf("Post owner `%s` is private and user `%s` is not a follower", pia.UserID, c.UserID)
	}
	for _, c := range []struct {
		by   social.Caller
		id   social.CommentID
		on   social.PostID
		text string
		want string
	}{
		{ben, "c1", "missing", "x", "Post `missing` does not exist"},
		{ben, "taken", "missing", "x", "Post `missing` does not exist"},
		{ben, "c1", "orphan", "x", "Post `orphan` does not exist"},
		{ben, "c1", "no/id", "x", "Post `no/id` does not exist"},
		{ben, "c1", "closed", "x", "Comments are disabled on post `closed`"},
		{ana, "c1", "closed", "x", "Comments are disabled on post `closed`"},
		{blocked, "c1", "open", "x", fmt.Sprintf("Post owner `%s` has blocked user `%s`", ana.UserID, blocked.UserID)},
		{blocking, "c1", "open", "x", fmt.Sprintf("User `%s` has blocked post owner `%s`", blocking.UserID, ana.UserID)},
		{ben, "c1", "private", "x", notFollower(ben)},
		{asked, "c1", "private", "x", notFollower(asked)},
		{denied, "c1", "private", "x", notFollower(denied)},
		{ben, "taken", "open", "x", "Comment `taken` already exists"},
		{ana, "taken", "open", "x", "Comment `taken` already exists"},
		{ben, "c/1", "open", "x", "commentId must be 1 to 100 letters, digits, dots, underscores, colons or hyphens: choose a version 4 UUID"},
		{ben, "c1", "open", strings.Repeat("x", social.MaxText+1), "text is 262145 bytes long: shorten it to at most 262144"},
	} {
		_, err := w.Add(t.Context(), c.by, c.id, c.on, c.text, everything)
		want(t, err, c.want)
	}
	if w.stored("c1") {
		t.Error("a refused comment was stored")
	}
	first := w.list(ana, "open", 0)[0]
	if first.Text() != "text of taken" {
		t.Errorf("the first comment became %q", first.Text())
	}
	w.wantPost("open", 1, 1, first.CommentedAt())
	w.wantPost("closed", 0, 0, time.Time{})
	w.wantPost("private", 0, 0, time.Time{})
	w.wantAuthor(ben, 1, 0)
	w.wantAuthor(ana, 0, 0)
}

func TestAddAllows(t *testing.T) {
	w := newWorld(t)
	pia, follower := w.user("pia", private), w.user("follower")
	storetest.Follow(t, w.store, follower.UserID, pia.UserID, social.Following)
	w.post(pia, "p1")
	w.post(pia, "archived", func(p *social.Post) { p.Status = social.PostArchived })
	w.comment(pia, "p1", "own")
	w.comment(follower, "p1", "followers")
	w.comment(follower, "archived", "on-archived")
	if _, err := w.Add(t.Context(), pia, "empty", "p1", "", everything); err != nil {
		t.Errorf("a comment without text: %v", err)
	}
	longest := strings.Repeat("x", social.MaxText)
	if _, err := w.Add(t.Context(), pia, "longest", "p1", longest, everything); err != nil {
		t.Errorf("the longest comment: %v", err)
	}
	got := w.list(pia, "p1", 0)
	if want := []social.CommentID{"own", "followers", "empty", "longest"}; !reflect.DeepEqual(idsOf(got), want) {
		t.Fatalf("comments %v, want %v", idsOf(got), want)
	}
	if got[2].Text() != "" || got[3].Text() != longest {
		t.Error("texts came back changed")
	}
}

// interposed does something else after the facts were read and before anything is
// written.
type interposed struct {
	*store.Comments
	meanwhile func()
}

func (i *interposed) once() {
	if f := i.meanwhile; f != nil {
		i.meanwhile = nil
		f()
	}
}

func (i *interposed) Add(ctx context.Context, c *social.Comment, p *social.Post, e ...outbox.Record) error {
	i.once()
	return i.Comments.Add(ctx, c, p, e...)
}

func (i *interposed) Remove(ctx context.Context, c *social.Comment, p *social.Post, unviewed bool, e ...outbox.Record) error {
	i.once()
	return i.Comments.Remove(ctx, c, p, unviewed, e...)
}

func TestAddDecidesAgainOnWhatHappenedMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name      string
		meanwhile func(w *world, owner social.Caller, p social.Post)
		want      string
	}{
		{"the post was deleted", func(w *world, _ social.Caller, p social.Post) {
			storetest.RemovePost(w, w.store, p)
		}, "Post `p1` does not exist"},
		{"comments were switched off", func(w *world, _ social.Caller, p social.Post) {
			if err := w.store.Posts.Edit(w.Context(), &p, social.PostEdit{CommentsDisabled: ptr(true)}); err != nil {
				w.Fatal(err)
			}
		}, "Comments are disabled on post `p1`"},
		{"the id was taken", func(w *world, owner social.Caller, _ social.Post) {
			w.comment(owner, "p1", "c1")
		}, "Comment `c1` already exists"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			ana, ben := w.user("ana"), w.user("ben")
			p := w.post(ana, "p1")
			w.Store = &interposed{Comments: w.store.Comments, meanwhile: func() { c.meanwhile(w, ana, p) }}
			_, err := w.Add(t.Context(), ben, "c1", "p1", "x", everything)
			want(t, err, c.want)
			w.wantAuthor(ben, 0, 0)
		})
	}
}

func TestManyCommentsAtOnceAllCount(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	const rivals = 16
	start, answers := make(chan struct{}), make(chan error, rivals)
	for i := range rivals {
		by := w.user(fmt.Sprint("user", i))
		go func() {
			<-start
			_, err := w.Add(t.Context(), by, social.CommentID(fmt.Sprint("c", i%(rivals/2))), "p1", "x", everything)
			answers <- err
		}()
	}
	close(start)
	added := 0
	for range rivals {
		if err := <-answers; err == nil {
			added++
		} else if !strings.HasSuffix(err.Error(), "already exists") {
			t.Error(err)
		}
	}
	if comments := w.list(ana, "p1", 0); added != rivals/2 || len(comments) != added {
		t.Errorf("%d comments were added and %d are listed, want %d: each id once", added, len(comments), rivals/2)
	}
	storetest.Counts(t, w.calls, "post/p1", "-", map[string]int{"commentCount": added, "commentsUnviewedCount": added})
}
