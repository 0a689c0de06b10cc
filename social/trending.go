package social

import (
	"math"
	"time"

	"stoa/internal/kit/refusal"
)

// Trend is how much a post, or a user by their posts, is viewed lately. It is halved with
// each day that begins.
type Trend struct {
	// Score has nine decimals.
	Score          float64
	CreatedAt      time.Time
	LastDeflatedAt time.Time
}

// leastScore keeps a trend in the list, where a score of zero has no place.
const leastScore = 1e-9

// trendingFor is how long a post earns points after it was posted.
const trendingFor = day

// What points are multiplied with.
const (
	unverifiedWeight = 0.5
	diamondWeight    = 4
	focusWeight      = 2
)

// points are what something of a weight earns at a time. They grow through the day that began
// before the last deflation, and beyond, so that they keep their worth once they are deflated.
func points(weight float64, deflatedAt, at time.Time) float64 {
	days := float64(at.Sub(startOfDay(deflatedAt))) / float64(day)
	return rounded(weight * math.Exp2(days))
}

func rounded(score float64) float64 { return math.Round(score*1e9) / 1e9 }

func startOfDay(t time.Time) time.Time { return t.UTC().Truncate(day) }

// Earned is the trend, nil for none yet, after something of a weight happened at a time.
func (t *Trend) Earned(weight float64, at time.Time) *Trend {
	if t == nil {
		return &Trend{Score: points(weight, at, at), CreatedAt: at, LastDeflatedAt: at}
	}
	after := *t
	after.Score = rounded(t.Score + points(weight, t.LastDeflatedAt, at))
	return &after
}

// Deflated is the trend at a time, halved for each day that began since it was deflated. It is
// t itself on the same day.
func (t *Trend) Deflated(now time.Time) *Trend {
	days := math.Floor(float64(now.Sub(startOfDay(t.LastDeflatedAt))) / float64(day))
	if days < 1 {
		return t
	}
	after := *t
	after.Score, after.LastDeflatedAt = math.Max(rounded(t.Score/math.Exp2(days)), leastScore), now
	return &after
}

const (
	// MaxTrends is how many trends of a kind are kept while there are some that hardly count.
	MaxTrends = 10000
	// hardlyTrends is the score below which a trend hardly counts.
	hardlyTrends = 0.5
)

// Hardly reports whether the trend may go when there are too many.
func (t *Trend) Hardly() bool { return t.Score < hardlyTrends }

// weight is what the post's points are multiplied with, 0 when it earns none at a time. Copies
// earn none: their views count for the original.
func (p *Post) weight(owner *User, at time.Time) float64 {
	copied := p.Type == ImagePost && p.OriginalPostID != "" && p.OriginalPostID != p.PostID
	if p.Status != PostCompleted || copied || owner.Username == RealUsername || at.Sub(p.PostedAt) > trendingFor {
		return 0
	}
	w := 1.0
	if p.IsVerified != nil && !*p.IsVerified {
		w *= unverifiedWeight
	}
	if owner.Subscription == SubscriptionDiamond {
		w *= diamondWeight
	}
	return w
}

// Began returns the step at a time with the trend of a post that is completed for the first
// time, if it earns any. The owner is seen as given.
func (s PostStep) Began(owner *SeenUser, at time.Time) PostStep {
	if owner == nil || !s.Moved(at).First() {
		return s
	}
	if w := s.After.weight(owner.user, at); w > 0 {
		s.Trend = (*Trend)(nil).Earned(w, at)
	}
	return s
}

// TrendStep is what a view makes of the trends of a post and of its owner.
type TrendStep struct{ Post, User Earning }

// Earning is what happens to a trend that earns points.
type Earning struct {
	// Before is nil for a trend that begins. Its score may have grown by the time that the
	// points are added; only while it was not deflated are they worth as much.
	Before, After *Trend
	Points        float64
}

func (t *Trend) earning(weight float64, at time.Time) Earning {
	e := Earning{Before: t, After: t.Earned(weight, at)}
	e.Points = e.After.Score
	if t != nil {
		e.Points = points(weight, t.LastDeflatedAt, at)
	}
	return e
}

// TrendMoved is the conflict of what earns points with a trend that began, was deflated or
// ended meanwhile.
var TrendMoved = refusal.Conflictf("Somebody else changed this at the same time: try again")

// TrendAttempts is how often points are tried to be added. After that they are lost, and what
// earned them is not.
const TrendAttempts = 3

// TrendFacts are a post's owner and the trends of both, nil for none.
type TrendFacts struct {
	Owner      *User
	Post, User *Trend
}

// MayTrend reports whether the step is of a kind that earns points: a first view of a type by
// somebody else.
func (s PostViewStep) MayTrend() bool {
	if s.Own() {
		return false
	}
	if s.Before == nil {
		return true
	}
	if s.Type == ViewFocus {
		return s.Before.FocusViewCount == 0
	}
	return s.Before.ThumbnailViewCount == 0
}

// Trending returns the step with what its view earns for the post and its owner.
func (s PostViewStep) Trending(f TrendFacts) PostViewStep {
	if f.Owner == nil || s.Post.Outlives(f.Owner) || !s.MayTrend() {
		return s
	}
	at := s.After.LastViewedAt
	w := s.Post.weight(f.Owner, at)
	if w == 0 {
		return s
	}
	if s.Type == ViewFocus {
		w *= focusWeight
	}
	s.Trend = &TrendStep{Post: f.Post.earning(w, at), User: f.User.earning(w, at)}
	return s
}
