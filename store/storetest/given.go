package storetest

import (
	"maps"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
	"stoa/store"
)

// Follow gives the follow of one user to another a status, from no follow at all.
func Follow(t testing.TB, s *store.Store, follower, followed social.UserID, status social.FollowStatus) {
	t.Helper()
	step := social.FollowStep{From: social.NotFollowing, Follow: social.Follow{
		FollowerUserID: follower, FollowedUserID: followed, Status: status, FollowedAt: Noon,
	}}
	if err := s.Follows.Move(t.Context(), step); err != nil {
		t.Fatalf("follow of %s to %s: %v", follower, followed, err)
	}
}

// Post stores a post, completed and of text unless p says otherwise.
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
	if err := s.Posts.Take(t.Context(), social.NewPostStep(nil, &p, nil, p.PostedAt)); err != nil {
		t.Fatalf("post %s: %v", p.PostID, err)
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
	if err := s.Posts.Take(t.Context(), social.NewPostStep(&p, p.Gone(), nil, Noon)); err != nil {
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

// Pending are the stored events that wait for their delivery, of one shard after the
// other.
func Pending(t testing.TB, s *store.Store) []outbox.Record {
	t.Helper()
	var all []outbox.Record
	for shard := range outbox.Shards {
		for q := (page.Query{First: 1000}); ; {
			p, err := ops.Open(s.DB).Outbox.Pending(t.Context(), shard, q)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p.Items...)
			if p.Next == "" {
				break
			}
			q.After = p.Next
		}
	}
	return all
}
