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
	// SubscriptionGrantedAt is when the user took their bonus; zero if never.
	SubscriptionGrantedAt time.Time
	// SubscriptionExpiresAt is when the level expires by itself; zero if never.
	SubscriptionExpiresAt time.Time
	LanguageCode          string
	ThemeCode             string
	// AcceptedEULAVersion is the version of the terms that the user last accepted.
	AcceptedEULAVersion string
	SignedUpAt          time.Time
	// LastDisabledAt is when the account was last disabled; zero if never.
	LastDisabledAt time.Time
	// LastPostedAt is the postedAt of the user's newest post, even if it has been deleted;
	// zero if there was none.
	LastPostedAt time.Time
	// LastClient is Client.Map of the last recorded request.
	LastClient map[string]string
	// UsernameLastValue is the previous name; empty if it never changed.
	UsernameLastValue     string
	UsernameLastChangedAt time.Time
	// LastFoundContactsAt is when the user last looked up contacts; zero if never.
	LastFoundContactsAt time.Time

	// DateOfBirth is a date in the form 2006-01-02, Age the number of full years since.
	// Both are empty if unknown.
	DateOfBirth string
	Age         *int
	Gender      UserGender
	Location    *Location
	// Height is in inches.
	Height *int
	// PhotoPostID is the post whose image is the user's photo.
	PhotoPostID PostID
	// PlaceholderPhotoCode is the code of the placeholder photo shown to users without a
	// photo; "" for none.
	PlaceholderPhotoCode string

	// Preferences for matches; nil, or 0 miles, if unset.
	MatchAgeRange       *Range
	MatchGenders        []UserGender
	MatchLocationRadius int
	MatchHeightRange    *Range

	DatingStatus DatingStatus
	// UserDisableDatingDate is when dating was last disabled; zero if never.
	UserDisableDatingDate time.Time
	// DatingEndsOn is the day, 2006-01-02, on which dating is disabled by itself; empty if
	// it is disabled.
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
	// PostViewedByCount is the sum of ViewedByCount over the user's posts.
	PostViewedByCount int
	ChatCount         int
	// Counters of the user's content, and of content that moderation removed.
	CommentCount                    int
	CommentDeletedCount             int
	CommentForcedDeletionCount      int
	ChatMessagesCreationCount       int
	ChatMessagesForcedDeletionCount int
	PostForcedArchivingCount        int
	// ChatsWithUnviewedMessagesCount is the number of chats with messages that the user has
	// not viewed.
	ChatsWithUnviewedMessagesCount int
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
