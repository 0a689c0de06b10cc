package social

// BlockStatus reports whether one user blocks another.
type BlockStatus string

const (
	NotBlocking BlockStatus = "NOT_BLOCKING"
	Blocking    BlockStatus = "BLOCKING"
	// BlockSelf is never stored; it is the status of viewers and themselves.
	BlockSelf BlockStatus = "SELF"
)

// Details of users: the half of a Relation that few fields need. Without them, a Relation
// knows only whether the viewer follows the user and is blocked by them.
var (
	// FollowerTie reports whether the user follows the viewer.
	FollowerTie = Details.New("FOLLOWER_TIE")
	// BlockedTie reports whether the viewer blocks the user.
	BlockedTie = Details.New("BLOCKED_TIE")

	// BothWays is everything that a Relation can know.
	BothWays = FollowerTie | BlockedTie
)

// Relation is the relation between a viewer and an owner, which decides what the viewer may
// see and do. The zero value is a stranger's.
type Relation struct {
	// self is set if the viewer is the owner. The other fields are then empty. Only
	// UserFacts.See sets it.
	self bool
	// Follows is the status of the viewer's follow of the owner, FollowedBy of the reverse.
	// Empty means NotFollowing.
	Follows, FollowedBy FollowStatus
	// Blocks is set if the viewer blocks the owner, BlockedBy if the owner blocks the
	// viewer.
	Blocks, BlockedBy bool
}

// CanSee reports whether the viewer sees what an owner with privacy p publishes. Being
// blocked outranks a follow; blocking hides nothing from the blocker; owners always see
// their own.
func (r Relation) CanSee(p PrivacyStatus) bool {
	switch {
	case r.self:
		return true
	case r.BlockedBy:
		return false
	default:
		return p == Public || r.Follows == Following
	}
}
