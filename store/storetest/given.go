package storetest

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"stoa"
	"stoa/internal/kit/keyspec"
	"stoa/store"
)

// Follow gives the follow of one user to another a status, from no follow at all, and
// drops the event of it.
func Follow(t testing.TB, s *store.Store, follower, followed stoa.UserID, status stoa.FollowStatus) {
	t.Helper()
	step := stoa.FollowStep{From: stoa.NotFollowing, Follow: stoa.Follow{
		FollowerUserID: follower, FollowedUserID: followed, Status: status, FollowedAt: Noon,
	}}
	e := stoa.Event{ID: fmt.Sprint(follower, status), At: Noon, Kind: stoa.FollowMoved, UserID: followed, FollowerUserID: follower}
	if err := s.Follows.Move(t.Context(), step, e); err != nil {
		t.Fatalf("follow of %s to %s: %v", follower, followed, err)
	}
	if err := s.Outbox.Done(t.Context(), e.Shard(), []stoa.Event{e}); err != nil {
		t.Fatal(err)
	}
}

// Post stores a post, completed and of text unless p says otherwise, and drops the event
// of it.
func Post(t testing.TB, s *store.Store, p stoa.Post) stoa.Post {
	t.Helper()
	if p.Type == "" {
		p.Type = stoa.TextOnly
	}
	if p.Status == "" {
		p.Status = stoa.PostCompleted
	}
	if p.PostedAt.IsZero() {
		p.PostedAt = Noon
	}
	if p.Text == "" {
		p.Text = "text of " + string(p.PostID)
	}
	e := stoa.Event{ID: "post " + string(p.PostID), At: p.PostedAt, Kind: stoa.PostMoved, UserID: p.PostedByUserID}
	if err := s.Posts.Add(t.Context(), &p, e); err != nil {
		t.Fatalf("post %s: %v", p.PostID, err)
	}
	if err := s.Outbox.Done(t.Context(), e.Shard(), []stoa.Event{e}); err != nil {
		t.Fatal(err)
	}
	return p
}

// OrphanPost stores a post whose owner is gone.
func OrphanPost(t testing.TB, c *Calls, id stoa.PostID) {
	t.Helper()
	stamp := keyspec.StampOf(Noon).String()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": "post/" + id, "sortKey": "-", "schemaVersion": 3, "postId": id, "postedByUserId": UserID("gone"),
		"postType": "TEXT_ONLY", "postStatus": "COMPLETED", "postedAt": stamp, "text": "x",
	})
}

// RemovePost removes a post and nothing of what hangs on it.
func RemovePost(t testing.TB, s *store.Store, p stoa.Post) {
	t.Helper()
	e := stoa.Event{ID: "end of " + string(p.PostID), At: p.PostedAt, Kind: stoa.PostMoved, UserID: p.PostedByUserID}
	if err := s.Posts.Delete(t.Context(), &p, e); err != nil {
		t.Fatalf("remove post %s: %v", p.PostID, err)
	}
}

// View makes a user have viewed a post, last at a given time.
func View(t testing.TB, c *Calls, viewer stoa.UserID, id stoa.PostID, at time.Time) {
	t.Helper()
	stamp := keyspec.StampOf(at).String()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": "post/" + id, "sortKey": "view/" + viewer, "schemaVersion": 0,
		"firstViewedAt": stamp, "lastViewedAt": stamp, "viewCount": 1,
	})
}

// Flag makes a user have reported an item, which is named by its partition key.
func Flag(t testing.TB, c *Calls, by stoa.UserID, item string) {
	t.Helper()
	Put(t, c, store.Main.Name, map[string]any{
		"partitionKey": item, "sortKey": "flag/" + by, "schemaVersion": 0, "createdAt": keyspec.StampOf(Noon).String(),
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
