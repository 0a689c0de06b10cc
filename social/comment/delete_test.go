package comment_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/store/storetest"
)

func TestDeleteRefuses(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	c := w.comment(ben, "p1", "c1")
	_, err := w.Delete(t.Context(), cem, "c1", everything)
	want(t, err, "User is not authorized to delete comment `c1`")
	_, err = w.Delete(t.Context(), ben, "c2", everything)
	want(t, err, "No comment with id `c2` found")
	_, err = w.Delete(t.Context(), ben, "c/1", everything)
	want(t, err, "No comment with id `c/1` found")
	w.wantPost("p1", 1, 1, c.CommentedAt())
	w.wantAuthor(ben, 1, 0)
}

func TestDeleteAnswersWithTheCommentAsItWas(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	if _, err := w.Add(t.Context(), ben, "c1", "p1", "hi @ana", everything); err != nil {
		t.Fatal(err)
	}
	storetest.Flag(t, w.calls, ana.UserID, "comment/c1")
	storetest.Block(t, w.calls, ben.UserID, ana.UserID)
	c, err := w.Delete(t.Context(), ana, "c1", everything)
	if err != nil {
		t.Fatal(err)
	}
	if c.Text() != "hi @ana" || len(c.TextTaggedUsers()) != 1 || c.FlagStatus() != social.Flagged || c.ViewedStatus() != social.NotViewed {
		t.Errorf("answer %+v", c)
	}
	if by := c.CommentedBy(); by.Username() != "ben" || by.SignedUpAt() != nil {
		t.Error("the author, who blocks the caller, shows more than their name")
	}
	if w.stored("c1") {
		t.Error("the comment is still there")
	}
	_, err = w.Delete(t.Context(), ana, "c1", everything)
	want(t, err, "No comment with id `c1` found")
}

func TestDeleteCounts(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "p1")
	w.comment(ben, "p1", "c1")
	w.comment(ana, "p1", "own")
	c2 := w.comment(cem, "p1", "c2")
	w.wantPost("p1", 3, 2, c2.CommentedAt())
	for _, step := range []struct {
		by                 social.Caller
		id                 social.CommentID
		comments, unviewed int
		since              time.Time
	}{
		{ana, "own", 2, 2, c2.CommentedAt()},
		{cem, "c2", 1, 1, c2.CommentedAt()},
		{ana, "c1", 0, 0, time.Time{}},
	} {
		if _, err := w.Delete(t.Context(), step.by, step.id, everything); err != nil {
			t.Fatal(err)
		}
		t.Log("after", step.id)
		w.wantPost("p1", step.comments, step.unviewed, step.since)
	}
	for _, c := range []social.Caller{ana, ben, cem} {
		w.wantAuthor(c, 0, 1)
	}
}

func TestDeleteOfViewedComments(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	for _, by := range []social.Caller{ana, ben} {
		p := w.post(ana, social.PostID("of-"+by.User.Username))
		viewed := w.comment(ben, p.PostID, "viewed")
		storetest.View(t, w.calls, ana.UserID, p.PostID, viewed.CommentedAt())
		w.clearUnviewed(p.PostID)
		late := w.comment(ben, p.PostID, "late")
		t.Log("deleted by", by.User.Username)
		if _, err := w.Delete(t.Context(), by, "viewed", everything); err != nil {
			t.Fatal(err)
		}
		w.wantPost(p.PostID, 1, 1, late.CommentedAt())
		if _, err := w.Delete(t.Context(), by, "late", everything); err != nil {
			t.Fatal(err)
		}
		w.wantPost(p.PostID, 0, 0, time.Time{})
	}
}

func TestDeleteWhileCommentsAreOff(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	p := w.post(ana, "p1")
	w.comment(ben, "p1", "c1")
	w.comment(ben, "p1", "c2")
	if err := w.store.Posts.Edit(t.Context(), &p, social.PostEdit{CommentsDisabled: ptr(true)}); err != nil {
		t.Fatal(err)
	}
	for by, id := range map[*social.Caller]social.CommentID{&ana: "c1", &ben: "c2"} {
		if _, err := w.Delete(t.Context(), *by, id, everything); err != nil {
			t.Errorf("%s deletes %s: %v", by.User.Username, id, err)
		}
	}
	w.wantPost("p1", 0, 0, time.Time{})
}

func TestDeleteDecidesAgainWhenTheOwnerViewedMeanwhile(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	first := w.comment(ben, "p1", "c1")
	var next *social.SeenComment
	w.Store = &interposed{Comments: w.store.Comments, meanwhile: func() {
		// The owner views the post, which clears what was unviewed; then comes another
		// comment, which the deletion of the first must not take off.
		storetest.View(t, w.calls, ana.UserID, "p1", first.CommentedAt())
		w.clearUnviewed("p1")
		next = w.comment(ben, "p1", "c2")
	}}
	if _, err := w.Delete(t.Context(), ben, "c1", everything); err != nil {
		t.Fatal(err)
	}
	w.wantPost("p1", 1, 1, next.CommentedAt())
	w.wantAuthor(ben, 1, 1)
}

// clearUnviewed makes a post have no unviewed comments.
func (w *world) clearUnviewed(id social.PostID) {
	w.Helper()
	item := storetest.Get(w, w.calls, "main", "post/"+string(id), "-")
	for _, name := range []string{"commentsUnviewedCount", "gsiA3PartitionKey", "gsiA3SortKey"} {
		delete(item, name)
	}
	storetest.Put(w, w.calls, "main", item)
}

func TestOneOfManyDeletionsCounts(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	w.comment(ben, "p1", "kept")
	w.comment(ben, "p1", "c1")
	const rivals = 8
	start, answers := make(chan struct{}), make(chan error, rivals)
	for i := range rivals {
		by := []social.Caller{ana, ben}[i%2]
		go func() {
			<-start
			_, err := w.Delete(t.Context(), by, "c1", everything)
			answers <- err
		}()
	}
	close(start)
	won := 0
	for range rivals {
		if err := <-answers; err == nil {
			won++
		} else {
			want(t, err, "No comment with id `c1` found")
		}
	}
	if won != 1 || !w.stored("kept") {
		t.Errorf("%d deletions succeeded, want 1", won)
	}
	storetest.Counts(t, w.calls, "post/p1", "-", map[string]int{"commentCount": 1, "commentsUnviewedCount": 1})
	w.wantAuthor(ben, 1, 1)
}

func TestPostMovedRemovesTheCommentsOnDeletedPosts(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	gone, kept := w.post(ana, "gone"), w.post(ana, "kept")
	var authors []social.Caller
	for i := range 60 {
		by := w.user(fmt.Sprint("user", i))
		authors = append(authors, by)
		w.comment(by, "gone", social.CommentID(fmt.Sprintf("a%d", i)))
		w.comment(by, "gone", social.CommentID(fmt.Sprintf("b%d", i)))
		w.comment(by, "kept", social.CommentID(fmt.Sprintf("k%d", i)))
	}
	storetest.RemovePost(t, w.store, gone)
	for range 2 {
		for _, e := range []social.PostMoved{
			{PostID: gone.PostID, To: social.PostDeleting},
			{PostID: kept.PostID, To: social.PostCompleted},
		} {
			if _, err := outboxtest.All(t.Context(), e, w.PostMoved); err != nil {
				t.Fatal(err)
			}
		}
		for i, by := range authors {
			if w.stored(social.CommentID(fmt.Sprintf("a%d", i))) || w.stored(social.CommentID(fmt.Sprintf("b%d", i))) {
				t.Errorf("comments of %s are still there", by.User.Username)
			}
			w.wantAuthor(by, 1, 2)
		}
	}
	storetest.Counts(t, w.calls, "post/kept", "-", map[string]int{"commentCount": 60, "commentsUnviewedCount": 60})
}

func TestCommentOnADeletedPostIsGoneForItsAuthor(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	p := w.post(ana, "p1")
	w.comment(ben, "p1", "c1")
	storetest.RemovePost(t, w.store, p)
	_, err := w.Delete(t.Context(), ben, "c1", everything)
	want(t, err, "No comment with id `c1` found")
	w.wantAuthor(ben, 1, 0)
	if err := w.removeOfPost("p1"); err != nil {
		t.Fatal(err)
	}
	w.wantAuthor(ben, 0, 1)
}

func TestLeftoversAreToldFromCommentsOnANewPostWithTheSameID(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	old := w.post(ana, "p1")
	w.comment(ben, "p1", "old")
	storetest.RemovePost(t, w.store, old)
	w.post(ana, "p1")
	c := w.comment(ben, "p1", "new")
	if got := idsOf(w.list(ben, "p1", 0)); !slices.Equal(got, []social.CommentID{"new"}) {
		t.Errorf("the new post shows %v", got)
	}
	if _, err := w.Delete(t.Context(), ana, "old", everything); err == nil || err.Error() != "No comment with id `old` found" {
		t.Errorf("the owner of the new post deletes an old comment: %v", err)
	}
	for range 2 {
		if err := w.removeOfPost("p1"); err != nil {
			t.Fatal(err)
		}
		if w.stored("old") || !w.stored("new") {
			t.Errorf("old comment there: %v, new comment there: %v, want only the new one", w.stored("old"), w.stored("new"))
		}
		w.wantPost("p1", 1, 1, c.CommentedAt())
		w.wantAuthor(ben, 1, 1)
	}
}

func TestRemoveLeftoversBesideADeletion(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	p := w.post(ana, "p1")
	for i := range 3 {
		w.comment(ben, "p1", social.CommentID(fmt.Sprint("c", i)))
	}
	page, err := w.store.Comments.ByPost(t.Context(), "p1", all, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Delete(t.Context(), ben, "c1", everything); err != nil {
		t.Fatal(err)
	}
	storetest.RemovePost(t, w.store, p)
	if err := w.store.Comments.RemoveLeftovers(t.Context(), "p1", page.Items); err != nil {
		t.Fatal(err)
	}
	w.wantAuthor(ben, 0, 3)
}

func TestNothingIsLeftOfAPostDeletedWhilePeopleComment(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	p := w.post(ana, "p1")
	const rivals = 8
	var authors []social.Caller
	first, done := make(chan struct{}, rivals), make(chan int, rivals)
	for i := range rivals {
		by := w.user(fmt.Sprint("user", i))
		authors = append(authors, by)
		go func() {
			added := 0
			defer func() { done <- added }()
			for {
				_, err := w.Add(t.Context(), by, social.CommentID(fmt.Sprintf("c%d-%d", i, added)), "p1", "x", everything)
				if added == 0 {
					first <- struct{}{}
				}
				if err != nil {
					want(t, err, "Post `p1` does not exist")
					return
				}
				added++
			}
		}()
	}
	for range rivals {
		<-first
	}
	storetest.RemovePost(t, w.store, p)
	if err := w.removeOfPost("p1"); err != nil {
		t.Fatal(err)
	}
	total := 0
	for range rivals {
		total += <-done
	}
	left, err := w.store.Comments.ByPost(t.Context(), "p1", all, false)
	if err != nil || len(left.Items) != 0 {
		t.Errorf("%d comments of %d are left, %v, want none", len(left.Items), total, err)
	}
	for _, by := range authors {
		storetest.Counts(t, w.calls, "user/"+string(by.UserID), "profile", map[string]int{"commentDeletedCount": w.deleted(by)})
		total -= w.deleted(by)
	}
	if total != 0 {
		t.Errorf("%d comments more were added than counted as deleted", total)
	}
}

// deleted is how many comments of a user were deleted.
func (w *world) deleted(c social.Caller) int {
	w.Helper()
	n, _ := storetest.Get(w, w.calls, "main", "user/"+string(c.UserID), "profile")["commentDeletedCount"].(float64)
	return int(n)
}
