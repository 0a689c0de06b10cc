package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// A profile is also found by its exact username. Whether a name is taken is read from the
// guard in the ops table, not from the index, which may lag.
var profiles = keyspec.Define[profileItem](Main, keyspec.Row{
	Version: 11,
	Key:     keyspec.K("user/{userId}", "profile"),
	On: keyspec.Indexes{
		A1: keyspec.K("username/{username}", "-"),
		// Users who date, by the day on which their dating is switched off automatically.
		A3: keyspec.K("userDisableDatingDate", "{datingEndsOn}"),
		// Subscribers by the expiry of their subscription; those without expiry come last.
		K1: keyspec.K("user/{subscriptionLevel}", "{subscriptionExpiresAt} or ~").Unless("subscriptionLevel", string(social.SubscriptionBasic)),
		K2: keyspec.K("userBirthday/{birthday}", "-"),
	},
	Computed: keyspec.Computed{"birthday": keyspec.PartOf("dateOfBirth", len("2006-"), len("2006-01-02"))},
})

type profileItem struct {
	UserID               social.UserID     `dynamo:"userId"`
	Username             string            `dynamo:"username"`
	Email                string            `dynamo:"email"`
	PhoneNumber          string            `dynamo:"phoneNumber"`
	FullName             string            `dynamo:"fullName"`
	DisplayName          string            `dynamo:"displayName"`
	DateOfBirth          string            `dynamo:"dateOfBirth"`
	Age                  *int              `dynamo:"age"`
	Gender               social.UserGender `dynamo:"gender"`
	Bio                  string            `dynamo:"bio"`
	PhotoPostID          social.PostID     `dynamo:"photoPostId"`
	PlaceholderPhotoCode string            `dynamo:"placeholderPhotoCode"`

	UserStatus     social.UserStatus    `dynamo:"userStatus"`
	PrivacyStatus  social.PrivacyStatus `dynamo:"privacyStatus"`
	SignedUpAt     keyspec.Stamp        `dynamo:"signedUpAt"`
	LastDisabledAt keyspec.Stamp        `dynamo:"lastDisabledAt"`

	SubscriptionLevel     social.SubscriptionLevel `dynamo:"subscriptionLevel"`
	SubscriptionGrantedAt keyspec.Stamp            `dynamo:"subscriptionGrantedAt"`
	SubscriptionExpiresAt keyspec.Stamp            `dynamo:"subscriptionExpiresAt"`

	Height                *int                `dynamo:"height"`
	Location              *locationItem       `dynamo:"location"`
	MatchAgeRange         *rangeItem          `dynamo:"matchAgeRange"`
	MatchGenders          []social.UserGender `dynamo:"matchGenders"`
	MatchLocationRadius   int                 `dynamo:"matchLocationRadius"`
	MatchHeightRange      *rangeItem          `dynamo:"matchHeightRange"`
	DatingStatus          social.DatingStatus `dynamo:"datingStatus"`
	UserDisableDatingDate keyspec.Stamp       `dynamo:"userDisableDatingDate"`
	// DatingEndsOn is a date, such as 2006-01-02.
	DatingEndsOn string `dynamo:"datingEndsOn,keyonly"`

	LanguageCode            string            `dynamo:"languageCode"`
	ThemeCode               string            `dynamo:"themeCode"`
	AcceptedEULAVersion     string            `dynamo:"acceptedEULAVersion"`
	LastClient              map[string]string `dynamo:"lastClient"`
	UsernameLastValue       string            `dynamo:"usernameLastValue"`
	UsernameLastChangedAt   keyspec.Stamp     `dynamo:"usernameLastChangedAt"`
	LastManuallyReindexedAt keyspec.Stamp     `dynamo:"lastManuallyReindexedAt"`
	LastPostedAt            keyspec.Stamp     `dynamo:"lastPostedAt"`
	LastPostViewAt          keyspec.Stamp     `dynamo:"lastPostViewAt"`
	LastPostFocusViewAt     keyspec.Stamp     `dynamo:"lastPostFocusViewAt"`
	LastFoundContactsAt     keyspec.Stamp     `dynamo:"lastFoundContactsAt"`

	FollowCountsHidden *bool `dynamo:"followCountsHidden"`
	ViewCountsHidden   *bool `dynamo:"viewCountsHidden"`
	CommentsDisabled   *bool `dynamo:"commentsDisabled"`
	LikesDisabled      *bool `dynamo:"likesDisabled"`
	SharingDisabled    *bool `dynamo:"sharingDisabled"`
	VerificationHidden *bool `dynamo:"verificationHidden"`

	AlbumCount                      int `dynamo:"albumCount"`
	CardCount                       int `dynamo:"cardCount"`
	ChatCount                       int `dynamo:"chatCount"`
	ChatMessagesCreationCount       int `dynamo:"chatMessagesCreationCount"`
	ChatMessagesDeletionCount       int `dynamo:"chatMessagesDeletionCount"`
	ChatMessagesForcedDeletionCount int `dynamo:"chatMessagesForcedDeletionCount"`
	ChatsWithUnviewedMessagesCount  int `dynamo:"chatsWithUnviewedMessagesCount"`
	CommentCount                    int `dynamo:"commentCount"`
	CommentDeletedCount             int `dynamo:"commentDeletedCount"`
	CommentForcedDeletionCount      int `dynamo:"commentForcedDeletionCount"`
	FollowedCount                   int `dynamo:"followedCount"`
	FollowerCount                   int `dynamo:"followerCount"`
	FollowersRequestedCount         int `dynamo:"followersRequestedCount"`
	PostCount                       int `dynamo:"postCount"`
	PostArchivedCount               int `dynamo:"postArchivedCount"`
	PostDeletedCount                int `dynamo:"postDeletedCount"`
	PostForcedArchivingCount        int `dynamo:"postForcedArchivingCount"`
	PostViewedByCount               int `dynamo:"postViewedByCount"`
}

type locationItem struct {
	Latitude  float64 `dynamo:"latitude"`
	Longitude float64 `dynamo:"longitude"`
	Accuracy  *int    `dynamo:"accuracy"`
}

type rangeItem struct {
	Min int `dynamo:"min"`
	Max int `dynamo:"max"`
}

// The tombstone of a deleted user, which does not identify the person.
var tombstones = keyspec.Define[tombstoneItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "deleted"),
	On:  keyspec.Indexes{A1: keyspec.K("userDeleted", "{deletedAt}")},
})

type tombstoneItem struct {
	UserID    social.UserID `dynamo:"userId"`
	DeletedAt keyspec.Stamp `dynamo:"deletedAt"`
}

// A ban is found by each contact and device that the banned user was known by.
var bans = keyspec.Define[banItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "banned"),
	On: keyspec.Indexes{
		A1: keyspec.K("email/{email}", "banned"),
		A2: keyspec.K("phone/{phoneNumber}", "banned"),
		A3: keyspec.K("device/{device_id}", "banned"),
	},
})

type banItem struct {
	UserID      social.UserID `dynamo:"userId"`
	Username    string        `dynamo:"username"`
	BannedAt    keyspec.Stamp `dynamo:"bannedAt"`
	ForcedBy    string        `dynamo:"forcedBy"`
	Email       string        `dynamo:"email,keyonly"`
	PhoneNumber string        `dynamo:"phoneNumber,keyonly"`
	DeviceID    string        `dynamo:"device_id,keyonly"`
}

var userTrending = keyspec.Define[userTrendingItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "trending"),
	On:  keyspec.Indexes{A4: keyspec.K("user/trending", "{score}")},
})

type userTrendingItem struct {
	UserID social.UserID `dynamo:"userId,keyonly"`
	trendingItem
}

// trendingItem holds the attributes common to trending users and posts.
type trendingItem struct {
	LastDeflatedAt keyspec.Stamp `dynamo:"lastDeflatedAt"`
	CreatedAt      keyspec.Stamp `dynamo:"createdAt"`
	Score          float64       `dynamo:"score,keyonly"`
}
