package social

import "time"

// PostViewed: Viewer viewed a post of Owner, possibly their own.
type PostViewed struct {
	PostID PostID
	Owner  UserID
	Viewer UserID
	// At is the time of the view, never before anything that the post showed then.
	At time.Time
	// News is set if the owner is to be told of the number of viewers.
	News bool `json:",omitempty"`
	// Unviewed is the number of comments that owners have viewed with their own post.
	Unviewed int `json:",omitempty"`
	// Idle is set if no card of the viewer referred to the post, and its owner is told nothing.
	Idle bool `json:",omitempty"`
}

// Matters reports whether cards may change.
func (e PostViewed) Matters() bool { return !e.Idle }

// Event returns the event for the step. carded is set if cards of the viewer refer to the post.
func (s PostViewStep) Event(carded bool) PostViewed {
	e := PostViewed{
		PostID: s.Post.PostID, Owner: s.Post.PostedByUserID, Viewer: s.After.UserID, At: s.After.LastViewedAt,
		News: s.IsNews(), Idle: !carded && !s.IsNews(),
	}
	if s.Own() {
		e.Unviewed = s.Post.CommentsUnviewedCount
	}
	return e
}

func (PostViewed) EventName() string { return "post.viewed" }

// OrderingKey is the viewer, whose cards of the post end. Only a view that the owner is told
// of waits for other news of theirs.
func (e PostViewed) OrderingKey() string {
	if e.News {
		return string(e.Owner)
	}
	return string(e.Viewer)
}
