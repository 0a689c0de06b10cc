package social

import (
	"slices"
	"strings"
	"time"
)

// PostViewsGathered: several users reported a hot post of Owner, which none of them had viewed
// before. Their views are stored and counted from this entry of the journal.
type PostViewsGathered struct {
	// ID is that of the entry.
	ID     string
	PostID PostID
	Owner  UserID
	Views  []GatheredView
}

// GatheredView is a report of a post.
type GatheredView struct {
	Viewer UserID
	At     time.Time
	Type   ViewType
	Times  int
}

func (PostViewsGathered) EventName() string { return "post.viewsGathered" }

// OrderingKey is unique to the event: each counts its own views.
func (e PostViewsGathered) OrderingKey() string { return e.ID }

// With returns the entry with another view of the post, or as it is if it has one of that viewer.
func (e PostViewsGathered) With(v GatheredView) (with PostViewsGathered, added bool) {
	for _, other := range e.Views {
		if other.Viewer == v.Viewer {
			return e, false
		}
	}
	e.Views = append(e.Views, v)
	return e, true
}

// MaxGathered is the maximum number of views in an entry. Its facts are read in one call.
const MaxGathered = 40

// Gathered returns the step as part of an entry, if it can be one: it is the first view of a post
// that was never reposted from another, by somebody else.
func (s PostViewStep) Gathered() (GatheredView, bool) {
	v := GatheredView{Viewer: s.After.UserID, At: s.After.FirstViewedAt, Type: s.Type, Times: s.After.ViewCount}
	return v, s.Counts() && (s.Post.OriginalPostID == "" || s.Post.OriginalPostID == s.Post.PostID)
}

// GatheredFacts are what is read to store and count the views of an entry.
type GatheredFacts struct {
	// Pending is set until the entry has been counted.
	Pending bool
	// Post is nil if it is gone.
	Post *Post
	// Views are the views of the post by the viewers of the entry, in their order, nil for none.
	// Viewers are their profiles, without which they have none.
	Views   []*PostView
	Viewers []*GatheredViewer
	Trend   TrendFacts
}

// GatheredViewer is when a viewer signed up, and last viewed any post, or one alone.
type GatheredViewer struct {
	Since, LastPostViewAt, LastPostFocusViewAt time.Time
}

// Viewable reports whether views of the entry count: its post is still there, and completed.
func (f GatheredFacts) Viewable(e PostViewsGathered) bool {
	return f.Post != nil && f.Post.PostedByUserID == e.Owner && f.Post.Status == PostCompleted
}

// Marks of a view that an entry has repeated rather than begun: for the first time in its type, or
// again.
const (
	also  = "also/"
	again = "again/"
)

// Entry returns the entry of the journal that began the view, "" if none did.
func (v PostView) Entry() string {
	first, _, _ := strings.Cut(v.Journal, " ")
	if strings.Contains(first, "/") {
		return ""
	}
	return first
}

// marked reports whether the view has a mark of an entry, or is the one that it began.
func (v PostView) marked(mark string) bool { return slices.Contains(strings.Fields(v.Journal), mark) }

// repeated returns the mark of a view that an entry repeats.
func (v PostView) repeated(e PostViewsGathered, t ViewType) string {
	if t == ViewFocus && v.FocusViewCount == 0 || t != ViewFocus && v.ThumbnailViewCount == 0 {
		return also + e.ID
	}
	return again + e.ID
}

// Stored is what to store for a view of an entry. Counts is set if the view is one more viewer of
// the post, and Earns if it is the viewer's first of its type. Put or Remove are the view to be
// stored over Before, or to be removed, nil if nothing is. Marks and Focuses are set if the
// viewer's time of their last view is to be set, or of that of a post alone.
type Stored struct {
	Counts, Earns       bool
	Before, Put, Remove *PostView
	Marks, Focuses      bool
}

// Nothing reports whether nothing is to be stored.
func (s Stored) Nothing() bool { return s.Put == nil && s.Remove == nil && !s.Marks && !s.Focuses }

// Store decides about the i-th view of an entry.
func (f GatheredFacts) Store(e PostViewsGathered, i int) Stored {
	v, view, viewer := e.Views[i], f.Views[i], f.Viewers[i]
	begun := view != nil && view.marked(e.ID)
	if !f.Viewable(e) || v.At.Before(f.Post.PostedAt) || viewer == nil || v.At.Before(viewer.Since) {
		if begun {
			return Stored{Remove: view}
		}
		return Stored{}
	}
	s := Stored{Marks: viewer.LastPostViewAt.Before(v.At), Focuses: v.Type == ViewFocus && viewer.LastPostFocusViewAt.Before(v.At)}
	switch {
	case begun:
		s.Counts, s.Earns = true, true
	case view == nil || view.FirstViewedAt.Before(f.Post.PostedAt):
		s.Counts, s.Earns = true, true
		s.Put = &PostView{PostID: e.PostID, UserID: v.Viewer, FirstViewedAt: v.At, Journal: e.ID}
	case view.marked(also + e.ID):
		s.Earns = true
	case !view.marked(again + e.ID): // another report was first
		after, mark := *view, view.repeated(e, v.Type)
		after.Journal = strings.TrimSpace(view.Journal + " " + mark) // another entry may have yet to count it
		s.Before, s.Put, s.Earns = view, &after, mark == also+e.ID
	}
	if s.Put != nil {
		s.Put.LastViewedAt = latest(v.At, s.Put.LastViewedAt)
		s.Put.ViewCount += v.Times
		if v.Type == ViewFocus {
			s.Put.FocusViewCount += v.Times
		} else {
			s.Put.ThumbnailViewCount += v.Times
		}
	}
	return s
}

// GatheredStep counts the views of an entry.
type GatheredStep struct {
	Entry PostViewsGathered
	// Post is nil if nothing is counted.
	Post *Post
	// Viewers is the number of viewers that the post gains.
	Viewers int
	Trend   *TrendStep
}

// Count returns the step that counts views of the entry, given what is stored about each, with the
// points that they earn if trends is set.
func (f GatheredFacts) Count(e PostViewsGathered, stored []Stored, trends bool, all FollowedByAll) GatheredStep {
	step := GatheredStep{Entry: e}
	if !f.Viewable(e) {
		return step
	}
	step.Post = f.Post
	var earning []GatheredView
	for i, v := range e.Views {
		step.Viewers += one(stored[i].Counts)
		if trends && stored[i].Earns {
			earning = append(earning, v)
		}
	}
	step.Trend = f.Post.trendOf(earning, f.Trend, all)
	return step
}

// IsNews reports whether the owner is to be told that the post has viewers.
func (s GatheredStep) IsNews() bool {
	return s.Post != nil && s.Post.ViewedByCount <= viewsTold && s.Post.ViewedByCount+s.Viewers > viewsTold
}

// Exactly reports whether the post must have as many viewers as it was read with, for the step to
// tell its owner as it does.
func (s GatheredStep) Exactly() bool { return s.Post.ViewedByCount <= viewsTold }

// News returns the event that tells the owner.
func (s GatheredStep) News() PostViewed {
	last := s.Entry.Views[len(s.Entry.Views)-1]
	return PostViewed{PostID: s.Entry.PostID, Owner: s.Entry.Owner, Viewer: last.Viewer, At: last.At, News: true}
}
