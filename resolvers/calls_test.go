package resolvers_test

import (
	"fmt"
	"testing"
	"time"

	"stoa/social/app"
)

// TestStoreCalls bounds what operations may ask of the store. A bound that breaks is
// a read that became one per item, or a write that is no longer one transaction. What a
// mutation causes is delivered before it answers and counts by itself: the calls of the
// receivers of its events, one after the other.
func TestStoreCalls(t *testing.T) {
	w := newWorld(t, app.Options{Gather: 200 * time.Millisecond}) // as long as a busy machine may take
	users("ana", "ben", "cleo")(w)
	follows("ana", "ben")(w)
	follows("ana", "cleo")(w)
	for i := range 12 {
		posts("ben", fmt.Sprintf("b%d", i))(w)
		posts("cleo", fmt.Sprintf("c%d", i))(w)
	}
	for i := range 22 {
		comments([]string{"ana", "ben", "cleo"}[i%3], "b0", fmt.Sprintf("comment%d", i))(w)
	}
	for _, c := range []struct {
		name              string
		query             string
		calls, roundTrips int
		effects           int
	}{
		{"self with counters", `{ self { userId username fullName bio themeCode followersCount followedsCount postCount } }`, 1, 1, 0},
		{"feed page of 20", `{ self { feed(limit: 20) { items { postId text postedAt likeStatus viewedStatus flagStatus onymousLikeCount anonymousLikeCount commentsCount postedBy { userId username } } nextToken } } }`, 6, 4, 0},
		{"feed page with everything about its authors", `{ self { feed(limit: 20) { items { postId likeStatus viewedStatus flagStatus textTaggedUsers { tag } postedBy { userId username followedStatus followerStatus blockedStatus blockerStatus } } } } }`, 6, 4, 0},
		{"post with 20 comments", `{ post(postId: "b0") { postId text likeStatus commentsCount postedBy { userId username } comments(limit: 20) { items { commentId text commentedAt viewedStatus flagStatus commentedBy { userId username } } } } }`, 5, 5, 0},
		{"several users and posts", `{ a: user(userId: "{ben}") { username } b: user(userId: "{cleo}") { username } c: post(postId: "b1") { text } d: post(postId: "c1") { text } }`, 3, 3, 0},
		{"likers", `{ self { posts { items { onymouslyLikedBy { items { username } } } } } }`, 4, 4, 0},
		{"text post", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello @ben and @cleo") { postId text textTaggedUsers { tag user { username } } postedBy { username } } }`, 4, 4, 4},
		{"comment", `mutation { addComment(commentId: "new", postId: "b0", text: "hello") { commentId commentedBy { username } } }`, 4, 4, 0},
		{"comment that mentions", `mutation { addComment(commentId: "new2", postId: "b0", text: "hello @cleo") { commentId textTaggedUsers { user { username } } } }`, 5, 5, 0},
		{"like", `mutation { onymouslyLikePost(postId: "b0") { postId likeStatus postedBy { username } } }`, 4, 4, 0},
		{"dislike", `mutation { dislikePost(postId: "b0") { postId likeStatus } }`, 4, 4, 0},
		{"follow", `mutation { followUser(userId: "{dan}") { followedStatus followersCount } }`, 4, 4, 5},
	} {
		if c.name == "follow" {
			users("dan")(w)
		}
		w.settle()
		w.calls.Reset()
		w.must("ana", c.query)
		if w.calls.Total() > c.calls+c.effects || w.calls.RoundTrips() > c.roundTrips+c.effects {
			t.Errorf("%s: %d calls in %d round trips (%s), want at most %d in %d, with those of receivers", c.name, w.calls.Total(), w.calls.RoundTrips(), w.calls, c.calls+c.effects, c.roundTrips+c.effects)
		}
		t.Logf("%-45s %d calls, %d round trips (%s)", c.name, w.calls.Total(), w.calls.RoundTrips(), w.calls)
	}
}
