package social

// Delivery says how a user's completed posts get into the feeds of their followers: copied into
// each, or, for a large account, read with each feed. It grows by one with every change, so that
// something written for a former state can be told from the present one.
//
// In between, both are done, and a feed shows each post once: before copying ends, each follower
// gets a LargeFollow, and before those are given up, each follower gets copies.
type Delivery int

// The states that a Delivery goes through, again and again. Zero is that of new profiles.
const (
	deliveryCopied = iota
	deliveryGrowing
	deliveryRead
	deliveryShrinking
	deliveryStates
)

func (d Delivery) state() int { return int(d) % deliveryStates }

// Copies reports whether posts are copied into the feeds of followers.
func (d Delivery) Copies() bool { return d.state() != deliveryRead }

// Lists reports whether those who follow the user get a LargeFollow.
func (d Delivery) Lists() bool { return d.state() != deliveryCopied }

// ListsAll reports whether all followers have a LargeFollow.
func (d Delivery) ListsAll() bool { return d.state() >= deliveryRead }

// Growing reports whether followers who lack a LargeFollow are getting one, and Shrinking
// whether those who lack copies are getting them.
func (d Delivery) Growing() bool   { return d.state() == deliveryGrowing }
func (d Delivery) Shrinking() bool { return d.state() == deliveryShrinking }

// Covers reports whether a LargeFollow written for an earlier Delivery is one of this account's
// present time as a large one.
func (d Delivery) Covers(earlier Delivery) bool { return d/deliveryStates == earlier/deliveryStates }

// DefaultFanOutLimit is the number of followers from which posts are read instead of copied.
const DefaultFanOutLimit = 5000

// Crosses reports whether a user's delivery is to change, given the number of followers from
// which posts are read; 0 means that they are always copied. An account that has become large
// stays so until half of these followers are left.
func (u *User) Crosses(limit int) bool {
	switch u.Delivery.state() {
	case deliveryCopied:
		return limit > 0 && u.FollowerCount >= limit
	case deliveryRead:
		return 2*u.FollowerCount < limit || limit == 0
	}
	return false
}

// LargeFollow records that a follower's feed is read together with the posts of a user.
type LargeFollow struct {
	FollowerUserID UserID `dynamo:"followerUserId,keyonly"`
	FollowedUserID UserID `dynamo:"followedUserId,keyonly"`
	// Delivery is that of the followed user when this was written.
	Delivery Delivery `dynamo:"delivery"`
}

// DeliveryChanged: the delivery of a user's posts changed.
type DeliveryChanged struct {
	UserID   UserID
	Delivery Delivery
}

func (DeliveryChanged) EventName() string     { return "delivery.changed" }
func (e DeliveryChanged) OrderingKey() string { return string(e.UserID) }

// LargeFeedChanged tells the followers of a large account that their feeds have changed. All
// subscriptions to feeds hear it.
type LargeFeedChanged struct{ UserID UserID }

// LargeFeedSubject is the bus subject of LargeFeedChanged.
const LargeFeedSubject = "largeFeed"

func (LargeFeedChanged) Subject() string { return LargeFeedSubject }
