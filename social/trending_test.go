package social

import (
	"testing"
	"time"
)

// users R4: points by the time of day.
func TestPoints(t *testing.T) {
	midnight := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		weight       float64
		deflated, at time.Duration
		want         float64
	}{
		{1, 0, 0, 1},
		{1, 6 * time.Hour, 6 * time.Hour, 1.189207115},
		{2, 12 * time.Hour, 12 * time.Hour, 2.828427125},
		{0.5, time.Hour, 12 * time.Hour, 0.707106781},
		{4, 0, 24 * time.Hour, 8},
	} {
		if got := points(c.weight, midnight.Add(c.deflated), midnight.Add(c.at)); got != c.want {
			t.Errorf("weight %v at %v earns %v, want %v", c.weight, c.at, got, c.want)
		}
	}
}

// users R6 and R7: scores are halved daily, and the lowest go when there are too many.
func TestTrendsSink(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	trend := &Trend{Score: 4, CreatedAt: noon, LastDeflatedAt: noon}
	if same := trend.Deflated(noon.Add(11 * time.Hour)); same != trend {
		t.Errorf("deflated on the same day: %v", same)
	}
	// Days start at midnight: twelve hours later it is the next one.
	for after, want := range map[time.Duration]float64{12 * time.Hour: 2, 36 * time.Hour: 1, 300 * 24 * time.Hour: 1e-9} {
		got := trend.Deflated(noon.Add(after))
		if got.Score != want || !got.LastDeflatedAt.Equal(noon.Add(after)) || !got.CreatedAt.Equal(noon) {
			t.Errorf("deflated after %v: %v, want score %v", after, got, want)
		}
	}
	if MaxTrends != 10000 || !(&Trend{Score: 0.49}).Negligible() || (&Trend{Score: 0.5}).Negligible() {
		t.Error("the tail is cut elsewhere")
	}
}

// users R2, R4 and B10: the points of a view by post and owner.
func TestWeightOfPosts(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	const hub FollowedByAll = "hub"
	owner, diamond := &User{Username: "ana"}, &User{Username: "ana", Subscription: SubscriptionDiamond}
	yes, no := true, false
	for name, c := range map[string]struct {
		post  Post
		owner *User
		want  float64
	}{
		"a text":                   {Post{Type: TextOnly}, owner, 1},
		"a verified image":         {Post{Type: ImagePost, IsVerified: &yes}, owner, 1},
		"an unverified image":      {Post{Type: ImagePost, IsVerified: &no}, owner, 0.5},
		"of a subscriber":          {Post{Type: TextOnly}, diamond, 4},
		"unverified, a subscriber": {Post{Type: ImagePost, IsVerified: &no}, diamond, 2},
		"a copy":                   {Post{Type: ImagePost, OriginalPostID: "p0"}, owner, 0},
		"its own original":         {Post{Type: ImagePost, OriginalPostID: "p1"}, owner, 1},
		"of whom all follow":       {Post{Type: TextOnly}, &User{Username: "hub"}, 0},
		"of one called nearly so":  {Post{Type: TextOnly}, &User{Username: "Hub"}, 1},
		"of real":                  {Post{Type: TextOnly}, &User{Username: "real"}, 1},
		"a day old":                {Post{Type: TextOnly, PostedAt: now.Add(-24 * time.Hour)}, owner, 1},
		"older":                    {Post{Type: TextOnly, PostedAt: now.Add(-24*time.Hour - 1)}, owner, 0},
		"archived":                 {Post{Type: TextOnly, Status: PostArchived}, owner, 0},
	} {
		p := c.post
		p.PostID = "p1"
		if p.Status == "" {
			p.Status = PostCompleted
		}
		if p.PostedAt.IsZero() {
			p.PostedAt = now
		}
		if got := p.weight(c.owner, hub, now); got != c.want {
			t.Errorf("%s weighs %v, want %v", name, got, c.want)
		}
	}
}
