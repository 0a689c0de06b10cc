package social

import (
	"testing"
	"time"
)

func TestCheckLike(t *testing.T) {
	completed := Post{PostID: "p", Status: PostCompleted}
	open := User{UserID: "ana", Privacy: Public}
	for _, c := range []struct {
		name  string
		post  func(*Post)
		owner func(*User)
		rel   Relation
		liker User
		mark  LikeStatus
		want  string
	}{
		{name: "a public post"},
		{name: "an own post", rel: Relation{self: true}},
		{name: "an own post of a private user", rel: Relation{self: true}, owner: func(u *User) { u.Privacy = Private }},
		{name: "a private post by a follower", owner: func(u *User) { u.Privacy = Private }, rel: Relation{Follows: Following}},
		{name: "a post on which likes were switched on", post: func(p *Post) { p.LikesDisabled = no }},
		{name: "an owner who switched likes on", owner: func(u *User) { u.LikesDisabled = no }},
		{name: "blocked", rel: Relation{BlockedBy: true, Blocks: true}, want: "User has been blocked by owner of post `p`"},
		{name: "blocking", rel: Relation{Blocks: true}, owner: func(u *User) { u.Privacy = Private }, want: "User has blocked owner of post `p`"},
		{name: "a private post", owner: func(u *User) { u.Privacy = Private }, post: func(p *Post) { p.Status = PostArchived },
			want: "User does not have access to post `p`"},
		{name: "a private post by one who asked", owner: func(u *User) { u.Privacy = Private }, rel: Relation{Follows: FollowRequested},
			want: "User does not have access to post `p`"},
		{name: "a private post by one denied", owner: func(u *User) { u.Privacy = Private }, rel: Relation{Follows: FollowDenied},
			want: "User does not have access to post `p`"},
		{name: "an own archived post", rel: Relation{self: true}, post: func(p *Post) { p.Status, p.LikesDisabled = PostArchived, yes },
			want: "Cannot like posts with status `ARCHIVED`"},
		{name: "likes off for the post", post: func(p *Post) { p.LikesDisabled = yes }, owner: func(u *User) { u.LikesDisabled = yes },
			want: "Likes are disabled for this post `p`"},
		{name: "likes off for an own post", rel: Relation{self: true}, post: func(p *Post) { p.LikesDisabled = yes },
			want: "Likes are disabled for this post `p`"},
		{name: "likes off for the owner", owner: func(u *User) { u.LikesDisabled = yes }, liker: User{LikesDisabled: yes},
			want: "Owner of this post (user `ana` has disabled likes"},
		{name: "likes off for the liker", liker: User{LikesDisabled: yes}, mark: OnymouslyLiked, want: "Caller `ben` has disabled likes"},
		{name: "liked already", mark: OnymouslyLiked, want: "User `ben` has already liked post `p`"},
		{name: "liked already in the other way", mark: AnonymouslyLiked, want: "User `ben` has already liked post `p`"},
	} {
		post, owner := completed, open
		if c.post != nil {
			c.post(&post)
		}
		if c.owner != nil {
			c.owner(&owner)
		}
		c.liker.UserID = "ben"
		f := PostFacts{Viewer: "ben", Read: LikeMark, Post: &post, Marks: Marks{Like: c.mark}}
		_, err := f.Like(see(&owner, c.rel), &c.liker, OnymouslyLiked, noon)
		wantRefusal(t, c.name, err, c.want)
	}
}

// A like is dated no earlier than its post and the profiles of both users, whatever the
// clocks say.
func TestLikeIsDated(t *testing.T) {
	later := noon.Add(time.Second)
	for _, c := range []struct{ now, posted, liker, owner, since, want time.Time }{
		{later, noon, noon, noon, noon, later},
		{noon, later, noon, noon, noon, later},
		{noon, noon, later, noon, later, later}, // likes of a former profile (users D10)
		{noon, noon, noon, later, later, later},
	} {
		f := PostFacts{Viewer: "ben", Read: LikeMark, Post: &Post{Status: PostCompleted, PostedAt: c.posted}}
		step, err := f.Like(
			see(&User{UserID: "ana", Privacy: Private, SignedUpAt: c.owner}, Relation{Follows: Following}),
			&User{UserID: "ben", SignedUpAt: c.liker},
			OnymouslyLiked,
			c.now,
		)
		if err != nil || step.Like.LikedAt != c.want || step.Since != c.since || !step.AsFollower {
			t.Errorf("%+v: %+v, %v", c, step, err)
		}
	}
}

func TestLikedShowsTheNewState(t *testing.T) {
	for _, c := range []struct {
		name                string
		from, to            LikeStatus
		onymous, anonymous  int
		wantOny, wantAnonym int
	}{
		{"a like", "", OnymouslyLiked, 1, 2, 2, 2},
		{"an anonymous like", "", AnonymouslyLiked, 1, 2, 1, 3},
		{"a dislike", OnymouslyLiked, NotLiked, 1, 2, 0, 2},
		{"an anonymous dislike", AnonymouslyLiked, NotLiked, 1, 2, 1, 1},
		{"never below zero", OnymouslyLiked, NotLiked, 0, 0, 0, 0},
	} {
		users := SeenUsers{"ana": see(&User{UserID: "ana"}, Relation{self: true})}
		f := PostFacts{
			Viewer: "ana", Read: LikeMark, Marks: Marks{Like: c.from},
			Post: &Post{PostedByUserID: "ana", OnymousLikeCount: c.onymous, AnonymousLikeCount: c.anonymous},
		}
		after, before := f.Liked(c.to).See(users), f.See(users)
		if after.LikeStatus() != c.to || *after.OnymousLikeCount() != c.wantOny || *after.AnonymousLikeCount() != c.wantAnonym {
			t.Errorf("%s: %s with counts %d and %d, want %s with %d and %d", c.name,
				after.LikeStatus(), *after.OnymousLikeCount(), *after.AnonymousLikeCount(), c.to, c.wantOny, c.wantAnonym)
		}
		if *before.OnymousLikeCount() != c.onymous || *before.AnonymousLikeCount() != c.anonymous {
			t.Errorf("%s: the post before was changed in place", c.name)
		}
	}
}

func TestLikedPostsShown(t *testing.T) {
	for _, c := range []struct {
		name   string
		status LikeStatus
		rel    Relation
		want   bool
	}{
		{"shown likes to a stranger, privacy aside", OnymouslyLiked, Relation{}, true},
		{"shown likes to oneself", OnymouslyLiked, Relation{self: true}, true},
		{"shown likes to whom the user blocks", OnymouslyLiked, Relation{BlockedBy: true}, false},
		{"hidden likes to oneself", AnonymouslyLiked, Relation{self: true}, true},
		{"hidden likes to a follower", AnonymouslyLiked, Relation{Follows: Following}, false},
	} {
		if got := see(&User{Privacy: Private}, c.rel).LikedPostsShown(c.status); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
