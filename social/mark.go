package social

import "time"

// FlagStatus is whether a viewer has reported an item to the moderators.
type FlagStatus string

const (
	Flagged    FlagStatus = "FLAGGED"
	NotFlagged FlagStatus = "NOT_FLAGGED"
)

// ViewedStatus is whether a viewer has seen an item.
type ViewedStatus string

const (
	Viewed    ViewedStatus = "VIEWED"
	NotViewed ViewedStatus = "NOT_VIEWED"
)

// Marks are what one viewer has left on one post. The zero value is a post that
// the viewer never touched.
type Marks struct {
	// Like is empty for NotLiked, and then LikedAt is zero.
	Like    LikeStatus
	LikedAt time.Time
	Flagged bool
	// LastViewedAt is zero for a post never viewed.
	LastViewedAt time.Time
}

// Details of posts and comments: the viewer's Marks.
var (
	LikeMark = Details.New("LIKE_MARK")
	ViewMark = Details.New("VIEW_MARK")
	FlagMark = Details.New("FLAG_MARK")
)
