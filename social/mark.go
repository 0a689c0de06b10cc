package social

import "time"

// FlagStatus is whether the viewer has flagged an item.
type FlagStatus string

const (
	Flagged    FlagStatus = "FLAGGED"
	NotFlagged FlagStatus = "NOT_FLAGGED"
)

// ViewedStatus is whether the viewer has viewed an item.
type ViewedStatus string

const (
	Viewed    ViewedStatus = "VIEWED"
	NotViewed ViewedStatus = "NOT_VIEWED"
)

// Marks are the viewer's marks on a post. The zero value has none.
type Marks struct {
	// Like is empty, and LikedAt zero, if the viewer does not like the post.
	Like    LikeStatus
	LikedAt time.Time
	// Flagged is set if the viewer flagged the post, FlaggedAt is when.
	Flagged   bool
	FlaggedAt time.Time
	// LastViewedAt is zero if the viewer has never viewed the post.
	LastViewedAt time.Time
}

// of returns those marks that the viewer's present profile has made on something of a user, as they see
// them. A former profile may have left others, for a clean-up that has yet to come.
func (m Marks) of(owner *SeenUser) Marks {
	if owner.left(m.LikedAt) {
		m.Like, m.LikedAt = "", time.Time{}
	}
	if owner.left(m.FlaggedAt) {
		m.Flagged, m.FlaggedAt = false, time.Time{}
	}
	if owner.left(m.LastViewedAt) {
		m.LastViewedAt = time.Time{}
	}
	return m
}

// Details of posts and comments: the viewer's Marks.
var (
	LikeMark = Details.New("LIKE_MARK")
	ViewMark = Details.New("VIEW_MARK")
	FlagMark = Details.New("FLAG_MARK")
)
