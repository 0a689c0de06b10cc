package social

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"
)

// UserStatus is the state of an account. An account without a stored status is ACTIVE.
type UserStatus string

const (
	UserActive    UserStatus = "ACTIVE"
	UserAnonymous UserStatus = "ANONYMOUS"
	UserDisabled  UserStatus = "DISABLED"
	UserDeleting  UserStatus = "DELETING"
	UserResetting UserStatus = "RESETTING"
)

// PrivacyStatus decides whether strangers see what a user publishes.
type PrivacyStatus string

const (
	Public  PrivacyStatus = "PUBLIC"
	Private PrivacyStatus = "PRIVATE"
)

// SubscriptionLevel is what a user has paid for.
type SubscriptionLevel string

const (
	SubscriptionBasic   SubscriptionLevel = "BASIC"
	SubscriptionDiamond SubscriptionLevel = "DIAMOND"
)

// Defaults shown for users who have not chosen.
const (
	DefaultLanguageCode = "en"
	DefaultThemeCode    = "black.green"
)

// User is a stored profile. Clients see it as a SeenUser.
//
// An empty string is unset. A nil switch was never chosen, which differs from false where a
// default depends on it.
//
// The tag seen says who sees a field that clients can request: everybody; all whom the user
// does not block (unlessBlocked); those who see what the user publishes (published), unless
// counts are hidden (unhidden); or the user alone (self). SeenUser enforces it, and a test
// compares the two.
type User struct {
	UserID       UserID            `dynamo:"userId" seen:"everybody"`
	Username     string            `dynamo:"username" seen:"everybody"`
	FullName     string            `dynamo:"fullName" seen:"unlessBlocked"`
	DisplayName  string            `dynamo:"displayName" seen:"unlessBlocked"`
	Bio          string            `dynamo:"bio" seen:"published"`
	Email        string            `dynamo:"email" seen:"self"`
	PhoneNumber  string            `dynamo:"phoneNumber" seen:"self"`
	Status       UserStatus        `dynamo:"userStatus" seen:"unlessBlocked"`
	Privacy      PrivacyStatus     `dynamo:"privacyStatus" seen:"unlessBlocked"`
	Subscription SubscriptionLevel `dynamo:"subscriptionLevel" seen:"unlessBlocked"`
	// SubscriptionGrantedAt is when the user took their bonus; zero if never.
	SubscriptionGrantedAt time.Time `dynamo:"subscriptionGrantedAt"`
	// SubscriptionExpiresAt is when the level expires by itself; zero if never.
	SubscriptionExpiresAt time.Time `dynamo:"subscriptionExpiresAt" seen:"self"`
	LanguageCode          string    `dynamo:"languageCode" seen:"self"`
	ThemeCode             string    `dynamo:"themeCode" seen:"unlessBlocked"`
	// AcceptedEULAVersion is the version of the terms that the user last accepted.
	AcceptedEULAVersion string    `dynamo:"acceptedEULAVersion" seen:"self"`
	SignedUpAt          time.Time `dynamo:"signedUpAt" seen:"unlessBlocked"`
	// LastDisabledAt is when the account was last disabled; zero if never.
	LastDisabledAt time.Time `dynamo:"lastDisabledAt"`
	// LastPostedAt is the postedAt of the user's newest post, even if it has been deleted;
	// zero if there was none.
	LastPostedAt time.Time `dynamo:"lastPostedAt"`
	// LastClient is Client.Map of the last recorded request.
	LastClient map[string]string `dynamo:"lastClient"`
	// UsernameLastValue is the previous name; empty if it never changed.
	UsernameLastValue     string    `dynamo:"usernameLastValue"`
	UsernameLastChangedAt time.Time `dynamo:"usernameLastChangedAt"`
	// LastFoundContactsAt is when the user last looked up contacts; zero if never.
	LastFoundContactsAt time.Time `dynamo:"lastFoundContactsAt" seen:"self"`

	// DateOfBirth is a date in the form 2006-01-02, Age the number of full years since.
	// Both are empty if unknown.
	DateOfBirth string     `dynamo:"dateOfBirth" seen:"unlessBlocked"`
	Age         *int       `dynamo:"age"`
	Gender      UserGender `dynamo:"gender" seen:"unlessBlocked"`
	Location    *Location  `dynamo:"location" seen:"self"`
	// Height is in inches.
	Height *int `dynamo:"height" seen:"unlessBlocked"`
	// PhotoPostID is the post whose image is the user's photo.
	PhotoPostID PostID `dynamo:"photoPostId"`
	// PlaceholderPhotoCode is the code of the placeholder photo shown to users without a
	// photo; "" for none.
	PlaceholderPhotoCode string `dynamo:"placeholderPhotoCode"`

	// Preferences for matches; nil, or 0 miles, if unset.
	MatchAgeRange       *Range       `dynamo:"matchAgeRange" seen:"self"`
	MatchGenders        []UserGender `dynamo:"matchGenders" seen:"self"`
	MatchLocationRadius int          `dynamo:"matchLocationRadius" seen:"self"`
	MatchHeightRange    *Range       `dynamo:"matchHeightRange" seen:"self"`

	DatingStatus DatingStatus `dynamo:"datingStatus" seen:"self"`
	// UserDisableDatingDate is when dating was last disabled; zero if never.
	UserDisableDatingDate time.Time `dynamo:"userDisableDatingDate" seen:"unlessBlocked"`
	// DatingEndsOn is the day, 2006-01-02, on which dating is disabled by itself; empty if
	// it is disabled.
	DatingEndsOn string `dynamo:"datingEndsOn,keyonly"`

	FollowCountsHidden *bool `dynamo:"followCountsHidden" seen:"self"`
	ViewCountsHidden   *bool `dynamo:"viewCountsHidden" seen:"self"`
	CommentsDisabled   *bool `dynamo:"commentsDisabled" seen:"self"`
	LikesDisabled      *bool `dynamo:"likesDisabled" seen:"self"`
	SharingDisabled    *bool `dynamo:"sharingDisabled" seen:"self"`
	VerificationHidden *bool `dynamo:"verificationHidden" seen:"self"`

	FollowedCount           int `dynamo:"followedCount" seen:"unhidden"`
	FollowerCount           int `dynamo:"followerCount" seen:"unhidden"`
	FollowersRequestedCount int `dynamo:"followersRequestedCount"`
	PostCount               int `dynamo:"postCount" seen:"unlessBlocked"`
	PostArchivedCount       int `dynamo:"postArchivedCount"`
	AlbumCount              int `dynamo:"albumCount" seen:"published"`
	CardCount               int `dynamo:"cardCount" seen:"self"`
	// PostViewedByCount is the sum of ViewedByCount over the user's posts.
	PostViewedByCount int `dynamo:"postViewedByCount" seen:"self"`
	ChatCount         int `dynamo:"chatCount" seen:"self"`
	// Counters of the user's content, and of content that moderation removed.
	CommentCount                    int `dynamo:"commentCount"`
	CommentDeletedCount             int `dynamo:"commentDeletedCount"`
	CommentForcedDeletionCount      int `dynamo:"commentForcedDeletionCount"`
	ChatMessagesCreationCount       int `dynamo:"chatMessagesCreationCount"`
	ChatMessagesForcedDeletionCount int `dynamo:"chatMessagesForcedDeletionCount"`
	PostForcedArchivingCount        int `dynamo:"postForcedArchivingCount"`
	// ChatsWithUnviewedMessagesCount is the number of chats with messages that the user has
	// not viewed.
	ChatsWithUnviewedMessagesCount int `dynamo:"chatsWithUnviewedMessagesCount" seen:"self"`

	// Delivery says how the user's posts get into feeds.
	Delivery Delivery `dynamo:"delivery"`
	// PostsVersion changes with the set of the user's completed posts, LargeFollowsVersion with
	// their large follows. It is 0 if they never had one.
	PostsVersion        int `dynamo:"postsVersion"`
	LargeFollowsVersion int `dynamo:"largeFollowsVersion"`
	// InLargeChats is set once the user has been a member of a large group.
	InLargeChats bool `dynamo:"inLargeChats"`
	// BlocksVersion changes when the user blocks somebody, is blocked, or is denied as a follower.
	// While it is as it was before blocks were read, there are no others.
	BlocksVersion int `dynamo:"blocksVersion"`
}

// NextPostAt returns the time of a post added now, which is after the user's last post even
// if that was timed by a clock ahead of this one.
func NextPostAt(last, now time.Time) time.Time { return latest(now, last.Add(time.Microsecond)) }

// ErrHasProfile is returned by a store if the identity already has a profile.
var ErrHasProfile = errors.New("the identity has a profile")

// Stands returns the status of the account.
func (u *User) Stands() UserStatus { return cmp.Or(u.Status, UserActive) }

// HasStatus reports whether the account's status is one of those allowed.
func (u *User) HasStatus(allowed []UserStatus) bool {
	return slices.Contains(allowed, u.Stands())
}

// UsesOther reports whether client, a result of Client.Map, is not empty and differs from
// the last one recorded.
func (u *User) UsesOther(client map[string]string) bool {
	return len(client) > 0 && !maps.Equal(client, u.LastClient)
}

// On reports whether a switch was chosen and is on.
func On(choice *bool) bool { return choice != nil && *choice }
