package social

import "time"

// PostViewed: Viewer has viewed a post of Owner, their own too.
type PostViewed struct {
	PostID PostID
	Owner  UserID
	Viewer UserID
	// At is when, never before anything that the post showed then.
	At time.Time
	// News says that with this viewer the post has found so many that its owner is told.
	News bool `json:",omitempty"`
}

// Event tells of the step.
func (s PostViewStep) Event() PostViewed {
	return PostViewed{
		PostID: s.Post.PostID, Owner: s.Post.PostedByUserID, Viewer: s.After.UserID, At: s.After.LastViewedAt, News: s.IsNews(),
	}
}

func (PostViewed) EventName() string     { return "post.viewed" }
func (e PostViewed) OrderingKey() string { return string(e.Owner) }
