package store

import (
	"time"

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
	social.User
	// Written by other programs.
	LastManuallyReindexedAt   time.Time `dynamo:"lastManuallyReindexedAt"`
	LastPostViewAt            time.Time `dynamo:"lastPostViewAt"`
	LastPostFocusViewAt       time.Time `dynamo:"lastPostFocusViewAt"`
	ChatMessagesDeletionCount int       `dynamo:"chatMessagesDeletionCount"`
	PostDeletedCount          int       `dynamo:"postDeletedCount"`
}

// The tombstone of a deleted user, which does not identify the person.
var tombstones = keyspec.Define[tombstoneItem](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "deleted"),
	On:  keyspec.Indexes{A1: keyspec.K("userDeleted", "{deletedAt}")},
})

type tombstoneItem struct {
	UserID    social.UserID `dynamo:"userId"`
	DeletedAt time.Time     `dynamo:"deletedAt"`
}

// A ban is found by each contact and device that the banned user was known by.
var bans = keyspec.Define[social.Ban](Main, keyspec.Row{
	Key: keyspec.K("user/{userId}", "banned"),
	On: keyspec.Indexes{
		A1: keyspec.K("email/{email}", "banned"),
		A2: keyspec.K("phone/{phoneNumber}", "banned"),
		A3: keyspec.K("device/{device_id}", "banned"),
	},
})
