package social

import (
	"errors"
	"maps"
	"slices"
	"time"
)

// UserStatus is where an account stands. An account without a stored status is
// ACTIVE.
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

// Values shown while a user has chosen none.
const (
	DefaultLanguageCode = "en"
	DefaultThemeCode    = "black.green"
)

// User is a profile as stored. Clients never get one: they get a SeenUser.
//
// Empty strings mean "not set" and nil switches mean "never chosen", which differs
// from false where a default depends on it.
type User struct {
	UserID       UserID
	Username     string
	FullName     string
	DisplayName  string
	Bio          string
	Email        string
	PhoneNumber  string
	Status       UserStatus
	Privacy      PrivacyStatus
	Subscription SubscriptionLevel
	// SubscriptionGrantedAt is when the user took their bonus, zero before.
	SubscriptionGrantedAt time.Time
	// SubscriptionExpiresAt is when the level ends by itself, zero for never.
	SubscriptionExpiresAt time.Time
	LanguageCode          string
	ThemeCode             string
	// AcceptedEULAVersion is the version of the terms that the user accepted last.
	AcceptedEULAVersion string
	SignedUpAt          time.Time
	// LastDisabledAt is when the account was disabled, zero for never.
	LastDisabledAt time.Time
	// LastPostedAt is the postedAt of the post that the user added last, even if that is gone;
	// zero before the first.
	LastPostedAt time.Time
	// LastClient is Client.Map of the request that was recorded last.
	LastClient map[string]string
	// UsernameLastValue is the name before the present one, empty without a change.
	UsernameLastValue     string
	UsernameLastChangedAt time.Time
	// LastFoundContactsAt is when the user looked up contacts last, zero for never.
	LastFoundContactsAt time.Time

	// DateOfBirth is a date, 2006-01-02, and Age the full years since then, both empty while
	// unknown.
	DateOfBirth string
	Age         *int
	Gender      UserGender
	Location    *Location
	// Height is in inches.
	Height *int
	// PhotoPostID is the post whose picture is the user's photo.
	PhotoPostID PostID
	// PlaceholderPhotoCode names the placeholder photo that is shown without another, "" for
	// none.
	PlaceholderPhotoCode string

	// What the user looks for in others; nil, and 0 miles, while they have not said.
	MatchAgeRange       *Range
	MatchGenders        []UserGender
	MatchLocationRadius int
	MatchHeightRange    *Range

	DatingStatus DatingStatus
	// UserDisableDatingDate is when dating went off last, zero for never.
	UserDisableDatingDate time.Time
	// DatingEndsOn is the day, 2006-01-02, on which dating goes off by itself, empty while
	// it is off.
	DatingEndsOn string

	FollowCountsHidden *bool
	ViewCountsHidden   *bool
	CommentsDisabled   *bool
	LikesDisabled      *bool
	SharingDisabled    *bool
	VerificationHidden *bool

	FollowedCount           int
	FollowerCount           int
	FollowersRequestedCount int
	PostCount               int
	PostArchivedCount       int
	AlbumCount              int
	CardCount               int
	// PostViewedByCount is how many viewers the user's posts found, counted for each post.
	PostViewedByCount int
	ChatCount         int
	// What became of what the user has written, and how much of it was removed by force.
	CommentCount                    int
	CommentDeletedCount             int
	CommentForcedDeletionCount      int
	ChatMessagesCreationCount       int
	ChatMessagesForcedDeletionCount int
	PostForcedArchivingCount        int
	// ChatsWithUnviewedMessagesCount is in how many chats there are messages that the user
	// has not viewed.
	ChatsWithUnviewedMessagesCount int
}

// NextPostAt is the time of a post that is added now by a user whose last one was posted at
// last, by a clock that may have been ahead of this one.
func NextPostAt(last, now time.Time) time.Time { return latest(now, last.Add(time.Microsecond)) }

// ErrHasProfile is a store's answer that an identity, for which a profile was to be
// created, has one.
var ErrHasProfile = errors.New("the identity has a profile")

// Stands is the status of the account.
func (u *User) Stands() UserStatus { return orElse(u.Status, UserActive) }

// HasStatus reports whether the account stands in one of the statuses.
func (u *User) HasStatus(allowed []UserStatus) bool {
	return slices.Contains(allowed, u.Stands())
}

// UsesOther reports whether client, made by Client.Map, tells something and is not
// what was recorded last.
func (u *User) UsesOther(client map[string]string) bool {
	return len(client) > 0 && !maps.Equal(client, u.LastClient)
}

// On reports whether a switch was chosen and is on.
func On(choice *bool) bool { return choice != nil && *choice }
