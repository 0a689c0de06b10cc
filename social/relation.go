package social

import "time"

// BlockStatus is whether one user blocks another.
type BlockStatus string

const (
	NotBlocking BlockStatus = "NOT_BLOCKING"
	Blocking    BlockStatus = "BLOCKING"
	// BlockSelf is only ever derived, for a user looking at themselves.
	BlockSelf BlockStatus = "SELF"
)

// Relation is everything between a viewer and an owner that decides what the
// viewer may see and do. The zero value is a stranger's.
type Relation struct {
	// Self: the viewer is the owner. The other fields are then empty.
	Self bool
	// Follows is how the viewer stands to the owner, FollowedBy the reverse. An empty
	// status means NotFollowing.
	Follows, FollowedBy FollowStatus
	// Blocks: the viewer blocks the owner. BlockedBy: the owner blocks the viewer.
	Blocks, BlockedBy bool
}

// CanSee reports whether the viewer sees what an owner with privacy p publishes.
// Being blocked outranks a follow; blocking somebody hides nothing from oneself;
// owners always see their own.
func (r Relation) CanSee(p PrivacyStatus) bool {
	switch {
	case r.Self:
		return true
	case r.BlockedBy:
		return false
	default:
		return p == Public || r.Follows == Following
	}
}

// UserFacts are a user and how a viewer stands to them, read together.
type UserFacts struct {
	User     *User
	Relation Relation
	// FollowsAt is when the record behind Relation.Follows was made, FollowedByAt that
	// behind FollowedBy; zero without one.
	FollowsAt, FollowedByAt time.Time
}

// See shows the user to the viewer whose relation was read.
func (f UserFacts) See() *SeenUser { return f.User.See(f.Relation) }
