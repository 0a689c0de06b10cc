package social

import (
	"math"
	"time"

	"stoa/internal/kit/refusal"
)

// Trend measures how much a post, or the posts of a user, were viewed lately. Its score is
// halved with each day that starts.
type Trend struct {
	// Score is rounded to nine decimals.
	Score          float64   `dynamo:"score,keyonly"`
	CreatedAt      time.Time `dynamo:"createdAt"`
	LastDeflatedAt time.Time `dynamo:"lastDeflatedAt"`
}

// leastScore is the minimum score. A trend with a score of zero would have no place in the
// list.
const leastScore = 1e-9

// trendingFor is how long after it is posted a post earns points.
const trendingFor = day

// Factors of points.
const (
	unverifiedWeight = 0.5
	diamondWeight    = 4
	focusWeight      = 2
)

// points returns the points for an event of the given weight. They grow exponentially from
// the start of the day of the last deflation, so that they keep their worth when they are
// deflated.
func points(weight float64, deflatedAt, at time.Time) float64 {
	days := float64(at.Sub(startOfDay(deflatedAt))) / float64(day)
	return rounded(weight * math.Exp2(days))
}

func rounded(score float64) float64 { return math.Round(score*1e9) / 1e9 }

func startOfDay(t time.Time) time.Time { return t.UTC().Truncate(day) }

// Earned returns the trend after an event of the given weight. t is nil if there is no
// trend yet.
func (t *Trend) Earned(weight float64, at time.Time) *Trend {
	if t == nil {
		return &Trend{Score: points(weight, at, at), CreatedAt: at, LastDeflatedAt: at}
	}
	after := *t
	after.Score = rounded(t.Score + points(weight, t.LastDeflatedAt, at))
	return &after
}

// Deflated returns the trend halved for each day that started since it was last deflated.
// On the same day it returns t itself.
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
	// MaxTrends is the number of trends of a kind above which negligible ones are deleted.
	MaxTrends = 10000
	// negligibleScore is the score below which a trend is negligible.
	negligibleScore = 0.5
)

// Negligible reports whether the trend is negligible and may be deleted if there are too many.
func (t *Trend) Negligible() bool { return t.Score < negligibleScore }

// weight returns the factor of points that the post earns at the given time, or 0 if it
// earns none. Copies earn none: their views count for the original. Neither do posts of the
// user whom everybody follows.
func (p *Post) weight(owner *User, all FollowedByAll, at time.Time) float64 {
	copied := p.Type == ImagePost && p.OriginalPostID != "" && p.OriginalPostID != p.PostID
	if p.Status != PostCompleted || copied || all.Is(owner) || at.Sub(p.PostedAt) > trendingFor {
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

// Began returns the step with the initial trend of a post that is completed for the first
// time, if it earns points. owner may be nil.
func (s PostStep) Began(owner *SeenUser, all FollowedByAll, at time.Time) PostStep {
	if owner == nil || !s.StatusChanged(at).First() {
		return s
	}
	if w := s.After.weight(owner.user, all, at); w > 0 {
		s.Trend = (*Trend)(nil).Earned(w, at)
	}
	return s
}

// TrendStep is the effect of a view on the trends of a post and of its owner.
type TrendStep struct{ Post, User Earning }

// Earning is the change of a trend that earns points.
type Earning struct {
	// Before is nil for a new trend. Its score may have grown by the time the points are
	// added; the points are valid only if it has not been deflated meanwhile.
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

// and returns the earning with the points of another event.
func (e Earning) and(weight float64, at time.Time) Earning {
	more := points(weight, e.After.LastDeflatedAt, at)
	return Earning{Before: e.Before, After: e.After.Earned(weight, at), Points: rounded(e.Points + more)}
}

// trendOf returns the points that first views of the post earn, or nil if they earn none.
func (p *Post) trendOf(views []GatheredView, f TrendFacts, all FollowedByAll) *TrendStep {
	if f.Owner == nil || p.Outlives(f.Owner) {
		return nil
	}
	var step *TrendStep
	for _, v := range views {
		w := p.weight(f.Owner, all, v.At)
		if v.Type == ViewFocus {
			w *= focusWeight
		}
		switch {
		case w == 0:
		case step == nil:
			step = &TrendStep{Post: f.Post.earning(w, v.At), User: f.User.earning(w, v.At)}
		default:
			step = &TrendStep{Post: step.Post.and(w, v.At), User: step.User.and(w, v.At)}
		}
	}
	return step
}

// ErrTrendChanged is refusal.ErrChanged if only trends were created, deflated or deleted
// meanwhile.
var ErrTrendChanged = &refusal.Error{Kind: refusal.Conflict, Text: refusal.ErrChanged.Text}

// TrendAttempts is the maximum number of attempts to add points. After these the points are
// lost, but not the view that earned them.
const TrendAttempts = 3

// TrendFacts are a post's owner and the trends of both, nil if they have none.
type TrendFacts struct {
	Owner      *User
	Post, User *Trend
}

// MayTrend reports whether the step may earn points: it is another user's first view of
// this type.
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

// Trending returns the step with the points that its view earns for the post and its owner.
func (s PostViewStep) Trending(f TrendFacts, all FollowedByAll) PostViewStep {
	if f.Owner == nil || s.Post.Outlives(f.Owner) || !s.MayTrend() {
		return s
	}
	at := s.After.LastViewedAt
	w := s.Post.weight(f.Owner, all, at)
	if w == 0 {
		return s
	}
	if s.Type == ViewFocus {
		w *= focusWeight
	}
	s.Trend = &TrendStep{Post: f.Post.earning(w, at), User: f.User.earning(w, at)}
	return s
}
