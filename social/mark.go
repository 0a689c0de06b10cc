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

// Detail names what a reader needs besides a noun itself. Each costs reads, so a
// page asks for the details that its fields show and no others.
type Detail uint8

const (
	// LikeMark, ViewMark and FlagMark are the viewer's Marks.
	LikeMark Detail = 1 << iota
	ViewMark
	FlagMark
	// TaggedUsers are the users mentioned in texts.
	TaggedUsers
	// FollowerTie is whether owners follow the viewer, BlockedTie whether the viewer
	// blocks them. Without, a Relation knows only whether the viewer follows owners and
	// is blocked by them.
	FollowerTie
	BlockedTie

	// BothWays is all that a Relation can know.
	BothWays = FollowerTie | BlockedTie
)

// Has reports whether d includes all of want.
func (d Detail) Has(want Detail) bool { return d&want == want }
