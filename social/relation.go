package social

// BlockStatus is whether one user blocks another.
type BlockStatus string

const (
	NotBlocking BlockStatus = "NOT_BLOCKING"
	Blocking    BlockStatus = "BLOCKING"
	// BlockSelf is only ever derived, for a user looking at themselves.
	BlockSelf BlockStatus = "SELF"
)

// Details of users: the half of a Relation that few fields show. Without them it knows
// whether the viewer follows the user and is blocked by them.
var (
	// FollowerTie is whether the user follows the viewer.
	FollowerTie = Details.New("FOLLOWER_TIE")
	// BlockedTie is whether the viewer blocks the user.
	BlockedTie = Details.New("BLOCKED_TIE")

	// BothWays is all that a Relation can know.
	BothWays = FollowerTie | BlockedTie
)

// Relation is everything between a viewer and an owner that decides what the
// viewer may see and do. The zero value is a stranger's.
type Relation struct {
	// self: the viewer is the owner. The other fields are then empty. Only UserFacts.See
	// sets it.
	self bool
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
	case r.self:
		return true
	case r.BlockedBy:
		return false
	default:
		return p == Public || r.Follows == Following
	}
}
