package social

import (
	"time"

	"stoa/internal/kit/refusal"
)

// ViewType is how a user viewed a post.
type ViewType string

const (
	// ViewThumbnail is a view among other posts, ViewFocus one of the post alone.
	ViewThumbnail ViewType = "THUMBNAIL"
	ViewFocus     ViewType = "FOCUS"
)

// maxReported is the maximum number of posts in a report.
const maxReported = 100

// viewsTold is the number of viewers beyond which the owner is told.
const viewsTold = 5

// CheckViewReport refuses empty reports and those with too many posts.
func CheckViewReport(ids []PostID) error {
	switch {
	case len(ids) == 0:
		return refusal.Invalidf("A minimum of 1 post id must be reported")
	case len(ids) > maxReported:
		return refusal.Invalidf("A max of %d post ids may be reported at a time", maxReported)
	default:
		return nil
	}
}

// PostView sums up a user's views of a post.
type PostView struct {
	PostID        PostID    `dynamo:"postId,keyonly"`
	UserID        UserID    `dynamo:"userId,keyonly"`
	FirstViewedAt time.Time `dynamo:"firstViewedAt"`
	LastViewedAt  time.Time `dynamo:"lastViewedAt"`
	// ViewCount is the sum of the other two.
	ViewCount          int `dynamo:"viewCount"`
	ThumbnailViewCount int `dynamo:"thumbnailViewCount"`
	FocusViewCount     int `dynamo:"focusViewCount"`
	// Journal has the entry of the journal that the view was stored from, if it was gathered with
	// others, and marks of those that repeated it.
	Journal string `dynamo:"journal"`
}

// PostViewFacts are a post and the viewer's earlier views, read together. Only a store
// creates them.
type PostViewFacts struct {
	Viewer UserID
	Post   *Post
	// View is nil if the viewer has never viewed the post.
	View *PostView
	// Since is when the viewer's profile began. A view from before is left of a former one.
	Since time.Time
	// LastPostViewAt is when they last viewed any post, LastPostFocusViewAt when they last
	// viewed one alone; zero if never.
	LastPostViewAt, LastPostFocusViewAt time.Time
}

// PostViewStep is the effect of a report on the views of a post.
type PostViewStep struct {
	Post *Post
	// Before is nil if the viewer had not viewed the post. After.LastViewedAt is the time
	// of the report.
	Before *PostView
	After  PostView
	Type   ViewType
	// Trend is the change to the trending score, or nil.
	Trend *TrendStep
}

// Viewable reports whether views of the post are recorded. It does not check whether the
// viewer may see it.
func (f PostViewFacts) Viewable() bool { return f.Post != nil && f.Post.Status == PostCompleted }

// Reported returns the step by which the viewer reports the post, which must be viewable, a
// number of times at once. No view comes before what it shows, whatever the clocks say:
// neither before the post nor before a comment on it nor before an earlier view.
func (f PostViewFacts) Reported(t ViewType, times int, now time.Time) PostViewStep {
	at := latest(now, f.Since, f.Post.PostedAt, f.Post.UnviewedCommentAt, f.LastPostViewAt, f.LastPostFocusViewAt)
	s := PostViewStep{Post: f.Post, Before: f.View, Type: t, After: PostView{PostID: f.Post.PostID, UserID: f.Viewer, FirstViewedAt: at}}
	if f.View != nil && !f.View.FirstViewedAt.Before(f.Since) {
		at = latest(at, f.View.LastViewedAt)
		s.After = *f.View
	}
	s.After.LastViewedAt = at
	s.After.ViewCount += times
	if t == ViewFocus {
		s.After.FocusViewCount += times
	} else {
		s.After.ThumbnailViewCount += times
	}
	return s
}

// Own reports whether owners view their own post. Such views are recorded, because they
// tell which comments the owner has viewed, but neither counted nor listed.
func (s PostViewStep) Own() bool { return s.Post.PostedByUserID == s.After.UserID }

// Counts reports whether the step adds a viewer to the post.
func (s PostViewStep) Counts() bool { return s.Before == nil && !s.Own() }

// Crowds is how many viewers a post must have, before a step that counts, for the step to
// tell its owner as it does: at least and at most that many.
func (s PostViewStep) Crowds() (least, most int) {
	switch n := s.Post.ViewedByCount; {
	case n < viewsTold:
		return 0, viewsTold - 1
	case n == viewsTold:
		return viewsTold, viewsTold
	default:
		return viewsTold + 1, 0
	}
}

// IsNews reports whether the owner is to be told that the post has viewers.
func (s PostViewStep) IsNews() bool { return s.Counts() && s.Post.ViewedByCount == viewsTold }

// ViewsShown reports whether the viewer sees how many users viewed the post, and who:
// owners do, unless they hide view counts from themselves.
func (s *SeenPost) ViewsShown() bool { return s.owner.IsSelf() && !On(s.owner.user.ViewCountsHidden) }

// ViewedByCount is the number of others who viewed the post.
func (s *SeenPost) ViewedByCount() *int { return shownIf(s.ViewsShown(), s.post.ViewedByCount) }

// PostViewedByCount is the number of viewers of the user's posts, summed over posts.
func (s *SeenUser) PostViewedByCount() *int {
	return shownIf(s.rel.self && !On(s.user.ViewCountsHidden), s.user.PostViewedByCount)
}

// latest returns the latest of the given times.
func latest(t time.Time, others ...time.Time) time.Time {
	for _, o := range others {
		if o.After(t) {
			t = o
		}
	}
	return t
}

// CountsViewer reports whether a view counts for the post: it is somebody else's, and not
// of an earlier post with the same id.
func (p *Post) CountsViewer(v PostView) bool {
	return v.UserID != p.PostedByUserID && !v.FirstViewedAt.Before(p.PostedAt)
}
