package social

import (
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
type User struct {
	UserID       UserID            `dynamo:"userId"`
	Username     string            `dynamo:"username"`
	FullName     string            `dynamo:"fullName"`
	DisplayName  string            `dynamo:"displayName"`
	Bio          string            `dynamo:"bio"`
	Email        string            `dynamo:"email"`
	PhoneNumber  string            `dynamo:"phoneNumber"`
	Status       UserStatus        `dynamo:"userStatus"`
	Privacy      PrivacyStatus     `dynamo:"privacyStatus"`
	Subscription SubscriptionLevel `dynamo:"subscriptionLevel"`
	// SubscriptionGrantedAt is when the user took their bonus; zero if never.
	SubscriptionGrantedAt time.Time `dynamo:"subscriptionGrantedAt"`
	// SubscriptionExpiresAt is when the level expires by itself; zero if never.
	SubscriptionExpiresAt time.Time `dynamo:"subscriptionExpiresAt"`
	LanguageCode          string    `dynamo:"languageCode"`
	ThemeCode             string    `dynamo:"themeCode"`
	// AcceptedEULAVersion is the version of the terms that the user last accepted.
	AcceptedEULAVersion string    `dynamo:"acceptedEULAVersion"`
	SignedUpAt          time.Time `dynamo:"signedUpAt"`
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
	LastFoundContactsAt time.Time `dynamo:"lastFoundContactsAt"`

	// DateOfBirth is a date in the form 2006-01-02, Age the number of full years since.
	// Both are empty if unknown.
	DateOfBirth string     `dynamo:"dateOfBirth"`
	Age         *int       `dynamo:"age"`
	Gender      UserGender `dynamo:"gender"`
	Location    *Location  `dynamo:"location"`
	// Height is in inches.
	Height *int `dynamo:"height"`
	// PhotoPostID is the post whose image is the user's photo.
	PhotoPostID PostID `dynamo:"photoPostId"`
	// PlaceholderPhotoCode is the code of the placeholder photo shown to users without a
	// photo; "" for none.
	PlaceholderPhotoCode string `dynamo:"placeholderPhotoCode"`

	// Preferences for matches; nil, or 0 miles, if unset.
	MatchAgeRange       *Range       `dynamo:"matchAgeRange"`
	MatchGenders        []UserGender `dynamo:"matchGenders"`
	MatchLocationRadius int          `dynamo:"matchLocationRadius"`
	MatchHeightRange    *Range       `dynamo:"matchHeightRange"`

	DatingStatus DatingStatus `dynamo:"datingStatus"`
	// UserDisableDatingDate is when dating was last disabled; zero if never.
	UserDisableDatingDate time.Time `dynamo:"userDisableDatingDate"`
	// DatingEndsOn is the day, 2006-01-02, on which dating is disabled by itself; empty if
	// it is disabled.
	DatingEndsOn string `dynamo:"datingEndsOn,keyonly"`

	FollowCountsHidden *bool `dynamo:"followCountsHidden"`
	ViewCountsHidden   *bool `dynamo:"viewCountsHidden"`
	CommentsDisabled   *bool `dynamo:"commentsDisabled"`
	LikesDisabled      *bool `dynamo:"likesDisabled"`
	SharingDisabled    *bool `dynamo:"sharingDisabled"`
	VerificationHidden *bool `dynamo:"verificationHidden"`

	FollowedCount           int `dynamo:"followedCount"`
	FollowerCount           int `dynamo:"followerCount"`
	FollowersRequestedCount int `dynamo:"followersRequestedCount"`
	PostCount               int `dynamo:"postCount"`
	PostArchivedCount       int `dynamo:"postArchivedCount"`
	AlbumCount              int `dynamo:"albumCount"`
	CardCount               int `dynamo:"cardCount"`
	// PostViewedByCount is the sum of ViewedByCount over the user's posts.
	PostViewedByCount int `dynamo:"postViewedByCount"`
	ChatCount         int `dynamo:"chatCount"`
	// Counters of the user's content, and of content that moderation removed.
	CommentCount                    int `dynamo:"commentCount"`
	CommentDeletedCount             int `dynamo:"commentDeletedCount"`
	CommentForcedDeletionCount      int `dynamo:"commentForcedDeletionCount"`
	ChatMessagesCreationCount       int `dynamo:"chatMessagesCreationCount"`
	ChatMessagesForcedDeletionCount int `dynamo:"chatMessagesForcedDeletionCount"`
	PostForcedArchivingCount        int `dynamo:"postForcedArchivingCount"`
	// ChatsWithUnviewedMessagesCount is the number of chats with messages that the user has
	// not viewed.
	ChatsWithUnviewedMessagesCount int `dynamo:"chatsWithUnviewedMessagesCount"`
}

// NextPostAt returns the time of a post added now, which is after the user's last post even
// if that was timed by a clock ahead of this one.
func NextPostAt(last, now time.Time) time.Time { return latest(now, last.Add(time.Microsecond)) }

// ErrHasProfile is returned by a store if the identity already has a profile.
var ErrHasProfile = errors.New("the identity has a profile")

// Stands returns the status of the account.
func (u *User) Stands() UserStatus { return orElse(u.Status, UserActive) }

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
