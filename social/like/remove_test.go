package like_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/internal/outbox/outboxtest"
	"stoa/social"
	"stoa/store/storetest"
)

func TestRemoveBetween(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	w.post(ana, "a1")
	w.post(ana, "a2")
	w.post(ben, "b1")
	w.like("a1", social.OnymouslyLiked, ben, cem)
	w.like("a2", social.AnonymouslyLiked, ben, ana)
	w.like("b1", social.OnymouslyLiked, ana, ben)
	for range 2 {
		if err := w.removeBetween(ben, ana); err != nil {
			t.Fatal(err)
		}
		w.wantLikes("a1", likes{cem.UserID: social.OnymouslyLiked})
		w.wantLikes("a2", likes{ana.UserID: social.AnonymouslyLiked})
		w.wantLikes("b1", likes{ana.UserID: social.OnymouslyLiked, ben.UserID: social.OnymouslyLiked})
	}
}

func TestRemoveBetweenGoesThroughAllPages(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	for i := range 130 {
		id := social.PostID(fmt.Sprintf("p%03d", i))
		w.post(ana, id)
		w.like(id, social.OnymouslyLiked, ben)
	}
	if err := w.removeBetween(ben, ana); err != nil {
		t.Fatal(err)
	}
	for i := range 130 {
		w.wantLikes(social.PostID(fmt.Sprintf("p%03d", i)), nil)
	}
}

func TestRemoveBetweenBesideADislike(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "a1")
	w.post(ana, "a2")
	w.like("a1", social.OnymouslyLiked, ben)
	w.like("a2", social.OnymouslyLiked, ben)
	w.Store = &interposed{Likes: w.store.Likes, meanwhile: func() {
		if _, err := w.Dislike(t.Context(), ben, "a1", everything); err != nil {
			t.Error(err)
		}
	}}
	if err := w.removeBetween(ben, ana); err != nil {
		t.Fatal(err)
	}
	w.wantLikes("a1", nil)
	w.wantLikes("a2", nil)
}

func TestLikesOfAnEarlierPostAreNoneOfANewOneWithTheSameID(t *testing.T) {
	w := newWorld(t)
	ana, ben, cem := w.user("ana"), w.user("ben"), w.user("cem")
	old := w.post(ana, "p1")
	w.like("p1", social.OnymouslyLiked, ben)
	storetest.RemovePost(t, w.store, old)
	w.post(ana, "p1")
	w.like("p1", social.OnymouslyLiked, cem)
	if got := w.postAs(ben, ana, "p1").LikeStatus(); got != social.NotLiked {
		t.Errorf("the new post is %s", got)
	}
	_, err := w.Dislike(t.Context(), ben, "p1", everything)
	want(t, err, "User has not liked post `p1`, thus cannot dislike it")
	// A count that went below zero would fail the test too.
	if err := w.removeBetween(ben, ana); err != nil {
		t.Fatal(err)
	}
	if err := w.removeOfPost("p1"); err != nil {
		t.Fatal(err)
	}
	w.wantLikes("p1", likes{cem.UserID: social.OnymouslyLiked})
}

// Posts and likes may be dated by different clocks.
func TestNoLikeComesBeforeItsPost(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1", func(p *social.Post) { p.PostedAt = p.PostedAt.Add(time.Hour) })
	w.like("p1", social.OnymouslyLiked, ben)
	w.wantLikes("p1", likes{ben.UserID: social.OnymouslyLiked})
	if _, err := w.Dislike(t.Context(), ben, "p1", everything); err != nil {
		t.Fatal(err)
	}
	w.wantLikes("p1", nil)
}

func TestPostMovedRemovesTheLikesOfDeletedPosts(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	gone, kept := w.post(ana, "gone"), w.post(ana, "kept")
	const fans = 205
	for i := range fans {
		fan := w.user(fmt.Sprintf("fan%03d", i))
		w.like("gone", social.OnymouslyLiked, fan)
		w.like("kept", social.AnonymouslyLiked, fan)
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
		w.wantLikes("gone", nil)
	}
	storetest.Counts(t, w.calls, "post/kept", "-", map[string]int{"anonymousLikeCount": fans})
}

func TestLeftoversAreToldFromLikesOfANewPostWithTheSameID(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	old := w.post(ana, "p1")
	var fans []social.Caller
	for i := range 6 {
		fans = append(fans, w.user(fmt.Sprint("fan", i)))
	}
	w.like("p1", social.OnymouslyLiked, fans[:3]...)
	storetest.RemovePost(t, w.store, old)
	w.post(ana, "p1")
	w.like("p1", social.AnonymouslyLiked, fans[3:]...)
	for range 2 {
		if err := w.removeOfPost("p1"); err != nil {
			t.Fatal(err)
		}
		w.wantLikes("p1", likes{
			fans[3].UserID: social.AnonymouslyLiked, fans[4].UserID: social.AnonymouslyLiked, fans[5].UserID: social.AnonymouslyLiked,
		})
	}
}

func TestNothingIsLeftOfAPostDeletedWhilePeopleLikeIt(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	p := w.post(ana, "p1")
	const fans = 12
	first, done := make(chan struct{}, fans), make(chan struct{})
	for i := range fans {
		fan := w.user(fmt.Sprint("fan", i))
		go func() {
			defer func() { done <- struct{}{} }()
			for round := 0; ; round++ {
				_, err := w.Like(t.Context(), fan, "p1", social.OnymouslyLiked, everything)
				if err == nil {
					_, err = w.Dislike(t.Context(), fan, "p1", everything)
				}
				if round == 0 {
					first <- struct{}{}
				}
				if err != nil {
					// The like may be found gone just before the post is.
					if text := err.Error(); text != "Post `p1` does not exist" && text != "User has not liked post `p1`, thus cannot dislike it" {
						t.Errorf("fan got %v", err)
					}
					return
				}
			}
		}()
	}
	for range fans {
		<-first
	}
	storetest.RemovePost(t, w.store, p)
	if err := w.removeOfPost("p1"); err != nil {
		t.Fatal(err)
	}
	for range fans {
		<-done
	}
	w.wantLikes("p1", nil)
}
