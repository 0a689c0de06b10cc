package post_test

import (
	"testing"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/social/like"
	"stoa/store"
	"stoa/store/storetest"
)

func TestDeleteRefuses(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	_, err := w.Delete(t.Context(), ben, "p1", everything)
	want(t, err, "Cannot delete another User's post")
	_, err = w.Delete(t.Context(), ana, "p2", everything)
	want(t, err, "Post `p2` does not exist")
	if w.stored("p1") == nil {
		t.Error("the post is gone")
	}
	w.wantCounts(ana, map[string]int{"postCount": 1})
}

func TestDeleteTakesThePostAndItsLikesAway(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	w.post(ana, "p2")
	likes := &like.Service{Store: w.store.Likes, Posts: w.store.Posts, People: w.People, Events: w.Service.Events}
	for _, id := range []social.PostID{"p1", "p2"} {
		for _, c := range []social.Caller{ana, ben} {
			if _, err := likes.Like(t.Context(), c, id, social.OnymouslyLiked, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := w.Delete(t.Context(), ana, "p1", everything)
	if err != nil {
		t.Fatal(err)
	}
	if p.PostStatus() != social.PostDeleting || *p.Text() != "text of p1" || p.LikeStatus() != social.OnymouslyLiked {
		t.Errorf("answer %+v, want the post as it was, DELETING", p)
	}
	if w.stored("p1") != nil {
		t.Error("the post is still there")
	}
	for _, e := range outboxtest.Of[social.PostMoved](t, w.events.Records()) {
		if _, err := outboxtest.All(t.Context(), e, likes.PostMoved); err != nil {
			t.Fatal(err)
		}
	}
	for id, left := range map[social.PostID]int{"p1": 0, "p2": 2} {
		rows, err := w.store.Likes.OfPost(t.Context(), id, page.Query{First: page.Max})
		if err != nil || len(rows.Items) != left {
			t.Errorf("%d likes of %s (%v), want %d", len(rows.Items), id, err, left)
		}
	}
	deleting, err := w.ByUser(t.Context(), w.self(ana), ptr(social.PostDeleting), nil, page.Args{})
	if err != nil || len(deleting.Items) != 0 {
		t.Errorf("posts in DELETING: %v, %v, want none", deleting, err)
	}
	w.wantCounts(ana, map[string]int{"postCount": 1, "postDeletedCount": 1})
	w.wantEvents(`post.moved p1 from "" to COMPLETED`, `post.moved p2 from "" to COMPLETED`, `post.moved p1 from "COMPLETED" to DELETING`)
	_, err = w.Delete(t.Context(), ana, "p1", everything)
	want(t, err, "Post `p1` does not exist")
}

func TestDeleteCountsByStatus(t *testing.T) {
	for status, counts := range map[social.PostStatus]map[string]int{
		social.PostCompleted: {"postCount": 1, "postDeletedCount": 1},
		social.PostPending:   {"postCount": 2, "postDeletedCount": 1},
		social.PostError:     {"postCount": 2, "postDeletedCount": 1},
	} {
		w := newWorld(t)
		ana := w.user("ana")
		w.post(ana, "p1")
		w.post(ana, "p2")
		w.setStatus("p1", ana, status)
		if _, err := w.Delete(t.Context(), ana, "p1", everything); err != nil {
			t.Fatal(err)
		}
		t.Log(status)
		w.wantCounts(ana, counts)
	}
}

func TestDeletedIDCanBeUsedAgain(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	if _, err := w.Delete(t.Context(), ana, "p1", everything); err != nil {
		t.Fatal(err)
	}
	w.post(ben, "p1")
	if p := w.stored("p1"); p == nil || p.PostedByUserID != ben.UserID {
		t.Errorf("stored %+v, want the post of ben", p)
	}
}

func TestDeleteDecidesAgainWhenTheStatusMoved(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	w.Store = &interposed{Posts: w.store.Posts, meanwhile: func() {
		w.setStatus("p1", ana, social.PostArchived)
		profile := storetest.Get(t, w.calls, store.Main.Name, "user/"+string(ana.UserID), "profile")
		profile["postArchivedCount"] = 1
		delete(profile, "postCount")
		storetest.Put(t, w.calls, store.Main.Name, profile)
	}}
	if _, err := w.Delete(t.Context(), ana, "p1", everything); err != nil {
		t.Fatal(err)
	}
	w.wantCounts(ana, map[string]int{"postDeletedCount": 1})
	w.wantEvents(`post.moved p1 from "" to COMPLETED`, `post.moved p1 from "ARCHIVED" to DELETING`)
}

func TestOneOfManyDeletionsWins(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	w.post(ana, "p2")
	const rivals = 8
	answers := make(chan error, rivals)
	start := make(chan struct{})
	for range rivals {
		go func() {
			<-start
			_, err := w.Delete(t.Context(), ana, "p1", everything)
			answers <- err
		}()
	}
	close(start)
	won := 0
	for range rivals {
		if err := <-answers; err == nil {
			won++
		} else if refusal.KindOf(err) != refusal.NotFound {
			t.Errorf("a loser got %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d deletions succeeded, want 1", won)
	}
	w.wantCounts(ana, map[string]int{"postCount": 1, "postDeletedCount": 1})
	w.wantEvents(`post.moved p1 from "" to COMPLETED`, `post.moved p2 from "" to COMPLETED`, `post.moved p1 from "COMPLETED" to DELETING`)
}

func TestOneOfManyPostsGetsTheID(t *testing.T) {
	w := newWorld(t)
	const rivals = 8
	answers := make(chan error, rivals)
	start := make(chan struct{})
	var users []social.Caller
	for i := range rivals {
		users = append(users, w.user("user"+string(rune('0'+i))))
		go func() {
			<-start
			_, err := w.Add(t.Context(), users[i], social.NewPost{PostID: "p1", Type: social.TextOnly, Text: "x"}, everything)
			answers <- err
		}()
	}
	close(start)
	won := 0
	for range rivals {
		if err := <-answers; err == nil {
			won++
		} else {
			want(t, err, "Post `p1` duplicated")
		}
	}
	if won != 1 {
		t.Errorf("%d posts were added, want 1", won)
	}
	owner := w.stored("p1").PostedByUserID
	for _, c := range users {
		counts := map[string]int{}
		if c.UserID == owner {
			counts["postCount"] = 1
		}
		w.wantCounts(c, counts)
	}
}
