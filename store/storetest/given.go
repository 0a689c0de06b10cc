package storetest

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/social"
	"stoa/store"
)

// Follow gives the follow of one user to another a status, from no follow at all, and
// drops the event of it.
func Follow(t testing.TB, s *store.Store, follower, followed social.UserID, status social.FollowStatus) {
	t.Helper()
	step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
		FollowerUserID: follower, FollowedUserID: followed, Status: status, FollowedAt: Noon,
	}}
	e := social.Event{ID: fmt.Sprint(follower, status), At: Noon, Kind: social.FollowMoved, UserID: followed, FollowerUserID: follower}
	if err := s.Follows.Move(t.Context(), step, e); err != nil {
		t.Fatalf("follow of %s to %s: %v", follower, followed, err)
	}
	if err := s.Outbox.Done(t.Context(), e.Shard(), []social.Event{e}); err != nil {
		t.Fatal(err)
	}
}

// Post stores a post, completed and of text unless p says otherwise, and drops the event
// of it.
func Post(t testing.TB, s *store.Store, p social.Post) social.Post {
	t.Helper()
	if p.Type == "" {
		p.Type = social.TextOnly
	}
	if p.Status == "" {
		p.Status = social.PostCompleted
	}
	if p.PostedAt.IsZero() {
		p.PostedAt = Noon
	}
	if p.Text == "" {
		p.Text = "text of " + string(p.PostID)
	}
	e := social.Event{ID: "post " + string(p.PostID), At: p.PostedAt, Kind: social.PostMoved, UserID: p.PostedByUserID}
	if err := s.Posts.Add(t.Context(), &p, e); err != nil {
		t.Fatalf("post %s: %v", p.PostID, err)
	}
	if err := s.Outbox.Done(t.Context(), e.Shard(), []social.Event{e}); err != nil {
		t.Fatal(err)
	}
	return p
}

// OrphanPost stores a post whose owner is gone.
func OrphanPost(t testing.TB, c *Calls, id social.PostID) {
	t.Helper()
	stamp := keyspec.StampOf(Noon).String()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": "post/" + id, "sortKey": "-", "schemaVersion": 3, "postId": id, "postedByUserId": UserID("gone"),
		"postType": "TEXT_ONLY", "postStatus": "COMPLETED", "postedAt": stamp, "text": "x",
	})
}

// RemovePost removes a post and nothing of what hangs on it.
func RemovePost(t testing.TB, s *store.Store, p social.Post) {
	t.Helper()
	e := social.Event{ID: "end of " + string(p.PostID), At: p.PostedAt, Kind: social.PostMoved, UserID: p.PostedByUserID}
	if err := s.Posts.Delete(t.Context(), &p, e); err != nil {
		t.Fatalf("remove post %s: %v", p.PostID, err)
	}
}

// View makes a user have viewed a post, last at a given time.
func View(t testing.TB, c *Calls, viewer social.UserID, id social.PostID, at time.Time) {
	t.Helper()
	stamp := keyspec.StampOf(at).String()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": "post/" + id, "sortKey": "view/" + viewer, "schemaVersion": 0,
		"firstViewedAt": stamp, "lastViewedAt": stamp, "viewCount": 1,
	})
}

// Flag makes a user have reported an item, which is named by its partition key, a day
// after noon.
func Flag(t testing.TB, c *Calls, by social.UserID, item string) {
	t.Helper()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": item, "sortKey": "flag/" + by, "schemaVersion": 0, "createdAt": keyspec.StampOf(Noon.Add(24 * time.Hour)).String(),
	})
}

// Counts compares all counters of an item of the main table with those wanted. Others
// must be absent or zero.
func Counts(t testing.TB, c *Calls, pk, sk string, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	for name, value := range Get(t, c, store.Main.Name, pk, sk) {
		if n, ok := value.(float64); ok && n != 0 && strings.HasSuffix(name, "Count") {
			got[name] = int(n)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("counters of %s are %v, want %v", pk, got, want)
	}
}
