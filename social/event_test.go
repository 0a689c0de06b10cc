package social

import "testing"

// What brings the same card or feed up to date waits for its like; what is about two users
// waits only for what is about both (realtime 3#4).
func TestOrderingKeys(t *testing.T) {
	pair := pairKey(ana, ben)
	for _, c := range []struct {
		event interface{ OrderingKey() string }
		want  string
	}{
		{PostStatusChanged{PostID: "p", UserID: ana}, string(ana)},
		{PostEdited{PostID: "p", UserID: ana}, string(ana)},
		{FollowStatusChanged{FollowerUserID: ben, FollowedUserID: ana, From: NotFollowing, To: Following}, pair},
		{FollowStatusChanged{FollowerUserID: ben, FollowedUserID: ana, From: NotFollowing, To: FollowRequested}, string(ana)},
		{FollowStatusChanged{FollowerUserID: ben, FollowedUserID: ana, From: FollowRequested, To: Following}, string(ana)},
		{UserBlocked{BlockerUserID: ana, BlockedUserID: ben}, pair},
		{UserUnblocked{BlockerUserID: ben, BlockedUserID: ana}, pair},
		{MatchConfirmed{UserID: ben, MatchUserID: ana}, pair},
		{AlbumDeleted{AlbumID: "a", Owner: ana}, "a"},
		{PostViewed{PostID: "p", Owner: ana, Viewer: ben}, string(ben)},
		{PostViewed{PostID: "p", Owner: ana, Viewer: ben, News: true}, string(ana)},
		{UserCreated{UserID: ana}, string(ana)},
		{UserChanged{UserID: ana}, string(ana)},
		{UserMadePublic{UserID: ana}, string(ana)},
		{UserStatusChanged{UserID: ana}, string(ana)},
		{UserRemoved{UserID: ana}, string(ana)},
		{ContentForciblyRemoved{UserID: ana, Kind: ForcedPosts}, string(ana)},
		{CommentAdded{Owner: ana, Author: ben}, string(ana)},
		{CommentDeleted{Owner: ana, Author: ben}, string(ana)},
		{PostLiked{Owner: ana, Liker: ben}, string(ana)},
		{PostDisliked{Owner: ana, Liker: ben}, string(ana)},
	} {
		if key := c.event.OrderingKey(); key != c.want {
			t.Errorf("%T is ordered by %q, want %q", c.event, key, c.want)
		}
	}
}
