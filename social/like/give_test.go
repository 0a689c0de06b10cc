package like_test

import (
	"context"
	"strings"
	"testing"

	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
	"stoa/store/storetest"
)

type likes = map[social.UserID]social.LikeStatus

func TestLikeAnswersWithTheNewState(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	w.calls.Reset()
	p, err := w.Like(t.Context(), ben, "p1", social.OnymouslyLiked, everything)
	if err != nil {
		t.Fatal(err)
	}
	if w.calls.Total() != 3 {
		t.Errorf("calls: %v, want 3 beside the check of the caller", w.calls)
	}
	if p.LikeStatus() != social.OnymouslyLiked || p.OnymousLikeCount() != nil || p.AnonymousLikeCount() != nil {
		t.Errorf("ben sees %s and counts, want the like and no counts", p.LikeStatus())
	}
	w.wantLikes("p1", likes{ben.UserID: social.OnymouslyLiked})

	p, err = w.Like(t.Context(), ana, "p1", social.AnonymouslyLiked, everything)
	if err != nil {
		t.Fatal(err)
	}
	if p.LikeStatus() != social.AnonymouslyLiked || *p.OnymousLikeCount() != 1 || *p.AnonymousLikeCount() != 1 {
		t.Errorf("ana sees %s with %d and %d, want her like counted", p.LikeStatus(), *p.OnymousLikeCount(), *p.AnonymousLikeCount())
	}
	w.wantLikes("p1", likes{ben.UserID: social.OnymouslyLiked, ana.UserID: social.AnonymouslyLiked})
}

func TestLikeRefuses(t *testing.T) {
	w := newWorld(t)
	ana, pia, off := w.user("ana"), w.user("pia", private), w.user("off", noLikes)
	ben, blocked, blocking, asked, denied := w.user("ben"), w.user("blocked"), w.user("blocking"), w.user("asked"), w.user("denied")
	storetest.Block(t, w.calls, ana.UserID, blocked.UserID)
	storetest.Block(t, w.calls, blocking.UserID, ana.UserID)
	storetest.Follow(t, w.store, asked.UserID, pia.UserID, social.FollowRequested)
	storetest.Follow(t, w.store, denied.UserID, pia.UserID, social.FollowDenied)
	w.post(ana, "open")
	w.post(ana, "archived", func(p *social.Post) { p.Status = social.PostArchived })
	w.post(ana, "closed", func(p *social.Post) { p.LikesDisabled = ptr(true) })
	w.post(pia, "private")
	w.post(off, "unlikable")
	storetest.OrphanPost(t, w.calls, "orphan")
	w.like("open", social.OnymouslyLiked, ben)
	for _, c := range []struct {
		by   social.Caller
		id   social.PostID
		want string
	}{
		{ben, "missing", "Post `missing` does not exist"},
		{ben, "no/id", "Post `no/id` does not exist"},
		{ben, "orphan", "Post `orphan` does not exist"},
		{blocked, "open", "User has been blocked by owner of post `open`"},
		{blocking, "open", "User has blocked owner of post `open`"},
		{ben, "private", "User does not have access to post `private`"},
		{asked, "private", "User does not have access to post `private`"},
		{denied, "private", "User does not have access to post `private`"},
		{ben, "archived", "Cannot like posts with status `ARCHIVED`"},
		{ana, "archived", "Cannot like posts with status `ARCHIVED`"},
		{ben, "closed", "Likes are disabled for this post `closed`"},
		{ana, "closed", "Likes are disabled for this post `closed`"},
		{ben, "unlikable", "Owner of this post (user `" + string(off.UserID) + "` has disabled likes"},
		{off, "open", "Caller `" + string(off.UserID) + "` has disabled likes"},
		{ben, "open", "User `" + string(ben.UserID) + "` has already liked post `open`"},
	} {
		for _, status := range []social.LikeStatus{social.OnymouslyLiked, social.AnonymouslyLiked} {
			_, err := w.Like(t.Context(), c.by, c.id, status, everything)
			want(t, err, c.want)
		}
	}
	w.wantLikes("open", likes{ben.UserID: social.OnymouslyLiked})
	for _, id := range []social.PostID{"archived", "closed", "private", "unlikable"} {
		w.wantLikes(id, nil)
	}
}

func TestLikeOfAPrivateUsersPost(t *testing.T) {
	w := newWorld(t)
	pia, follower := w.user("pia", private), w.user("follower")
	storetest.Follow(t, w.store, follower.UserID, pia.UserID, social.Following)
	w.post(pia, "p1")
	w.like("p1", social.OnymouslyLiked, follower, pia)
	w.wantLikes("p1", likes{follower.UserID: social.OnymouslyLiked, pia.UserID: social.OnymouslyLiked})
}

func TestDislike(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	w.like("p1", social.OnymouslyLiked, ana)
	w.like("p1", social.AnonymouslyLiked, ben)

	_, err := w.Dislike(t.Context(), ben, "p2", everything)
	want(t, err, "Post `p2` does not exist")
	p, err := w.Dislike(t.Context(), ana, "p1", everything)
	want(t, err, "")
	if p.LikeStatus() != social.NotLiked || *p.OnymousLikeCount() != 0 || *p.AnonymousLikeCount() != 1 {
		t.Errorf("ana sees %s with %d and %d, want her like taken off", p.LikeStatus(), *p.OnymousLikeCount(), *p.AnonymousLikeCount())
	}
	w.wantLikes("p1", likes{ben.UserID: social.AnonymouslyLiked})
	_, err = w.Dislike(t.Context(), ana, "p1", everything)
	want(t, err, "User has not liked post `p1`, thus cannot dislike it")

	w.like("p1", social.AnonymouslyLiked, ana)
	w.wantLikes("p1", likes{ana.UserID: social.AnonymouslyLiked, ben.UserID: social.AnonymouslyLiked})
}

func TestDislikeIsAlwaysAllowed(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben", noLikes)
	w.post(ana, "p1", func(p *social.Post) { p.LikesDisabled = ptr(true) })
	given := social.Like{PostID: "p1", LikedByUserID: ben.UserID, PostedByUserID: ana.UserID, Status: social.OnymouslyLiked, LikedAt: w.now()}
	w.givenBeforeLikesWentOff(given)
	closed := *ana.User
	closed.Privacy, closed.LikesDisabled = social.Private, ptr(true)
	if err := w.store.Users.Change(t.Context(), ana.User, &closed); err != nil {
		t.Fatal(err)
	}
	p, err := w.Dislike(t.Context(), ben, "p1", everything)
	want(t, err, "")
	if p != nil {
		t.Error("the answer shows a post that the caller does not see any more")
	}
	w.wantLikes("p1", nil)
}

// givenBeforeLikesWentOff stores a like that could not be given now.
func (w *world) givenBeforeLikesWentOff(l social.Like) {
	w.Helper()
	edit := func(off bool) {
		p := social.Post{PostID: l.PostID, PostedByUserID: l.PostedByUserID, PostedAt: storetest.Noon}
		facts, err := w.store.Posts.Facts(w.Context(), "", []social.PostID{l.PostID}, 0)
		if err != nil {
			w.Fatal(err)
		}
		p.PostedAt = facts[l.PostID].Post.PostedAt
		if err := w.store.Posts.Edit(w.Context(), &p, social.PostEdit{LikesDisabled: &off}); err != nil {
			w.Fatal(err)
		}
	}
	edit(false)
	if err := w.store.Likes.Add(w.Context(), l, false); err != nil {
		w.Fatal(err)
	}
	edit(true)
}

// interposed does something else after the facts were read and before the like is
// written.
type interposed struct {
	*store.Likes
	meanwhile func()
}

func (i *interposed) once() {
	if f := i.meanwhile; f != nil {
		i.meanwhile = nil
		f()
	}
}

func (i *interposed) Add(ctx context.Context, l social.Like, asFollower bool, e ...outbox.Record) error {
	i.once()
	return i.Likes.Add(ctx, l, asFollower, e...)
}

func (i *interposed) Remove(ctx context.Context, l social.Like, e ...outbox.Record) error {
	i.once()
	return i.Likes.Remove(ctx, l, e...)
}

func TestLikeDecidesAgainOnWhatHappenedMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name      string
		owner     []func(*social.User)
		meanwhile func(w *world, owner, liker social.Caller, p social.Post)
		want      string
		left      social.LikeStatus
	}{
		{"the post was deleted", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			storetest.RemovePost(w, w.store, p)
		}, "Post `p1` does not exist", ""},
		{"likes were switched off", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			if err := w.store.Posts.Edit(w.Context(), &p, social.PostEdit{LikesDisabled: ptr(true)}); err != nil {
				w.Fatal(err)
			}
		}, "Likes are disabled for this post `p1`", ""},
		{"the owner blocked the liker", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			storetest.Block(w, w.calls, owner.UserID, liker.UserID)
		}, "User has been blocked by owner of post `p1`", ""},
		{"the liker blocked the owner", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			storetest.Block(w, w.calls, liker.UserID, owner.UserID)
		}, "User has blocked owner of post `p1`", ""},
		{"the follow of a private user ended", []func(*social.User){private}, func(w *world, owner, liker social.Caller, p social.Post) {
			w.unfollow(liker, owner)
		}, "User does not have access to post `p1`", ""},
		{"the liker liked it from elsewhere", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			w.like("p1", social.AnonymouslyLiked, liker)
		}, "User `LIKER` has already liked post `p1`", social.AnonymouslyLiked},
		{"the follow of a public user ended", nil, func(w *world, owner, liker social.Caller, p social.Post) {
			w.unfollow(liker, owner)
		}, "", social.OnymouslyLiked},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			owner, liker := w.user("ana", c.owner...), w.user("ben")
			storetest.Follow(t, w.store, liker.UserID, owner.UserID, social.Following)
			p := w.post(owner, "p1")
			w.Store = &interposed{Likes: w.store.Likes, meanwhile: func() { c.meanwhile(w, owner, liker, p) }}
			_, err := w.Like(t.Context(), liker, "p1", social.OnymouslyLiked, everything)
			want(t, err, strings.ReplaceAll(c.want, "LIKER", string(liker.UserID)))
			left := likes{}
			if c.left != "" {
				left[liker.UserID] = c.left
			}
			w.wantLikes("p1", left)
		})
	}
}

func TestDislikeOfALikeThatChangedKindMeanwhile(t *testing.T) {
	w := newWorld(t)
	ana := w.user("ana")
	w.post(ana, "p1")
	w.like("p1", social.OnymouslyLiked, ana)
	w.Store = &interposed{Likes: w.store.Likes, meanwhile: func() {
		if _, err := w.Dislike(t.Context(), ana, "p1", everything); err != nil {
			t.Error(err)
		}
		w.like("p1", social.AnonymouslyLiked, ana)
	}}
	p, err := w.Dislike(t.Context(), ana, "p1", everything)
	want(t, err, "")
	if *p.OnymousLikeCount() != 0 || *p.AnonymousLikeCount() != 0 {
		t.Errorf("counts %d and %d, want none", *p.OnymousLikeCount(), *p.AnonymousLikeCount())
	}
	w.wantLikes("p1", nil)
}

func TestOneOfManyLikesOfAUserCounts(t *testing.T) {
	w := newWorld(t)
	ana, ben := w.user("ana"), w.user("ben")
	w.post(ana, "p1")
	run := func(act func(i int) error, lost string) {
		t.Helper()
		const rivals = 8
		answers, start := make(chan error, rivals), make(chan struct{})
		for i := range rivals {
			go func() {
				<-start
				answers <- act(i)
			}()
		}
		close(start)
		won := 0
		for range rivals {
			if err := <-answers; err == nil {
				won++
			} else {
				want(t, err, lost)
			}
		}
		if won != 1 {
			t.Errorf("%d succeeded, want 1", won)
		}
	}
	kinds := []social.LikeStatus{social.OnymouslyLiked, social.AnonymouslyLiked}
	run(func(i int) error {
		_, err := w.Like(t.Context(), ben, "p1", kinds[i%2], everything)
		return err
	}, "User `"+string(ben.UserID)+"` has already liked post `p1`")
	p := w.postAs(ben, ana, "p1")
	w.wantLikes("p1", likes{ben.UserID: p.LikeStatus()})
	run(func(int) error {
		_, err := w.Dislike(t.Context(), ben, "p1", everything)
		return err
	}, "User has not liked post `p1`, thus cannot dislike it")
	w.wantLikes("p1", nil)
}
