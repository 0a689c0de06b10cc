package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// A registered user.
var users = keyspec.Define[pantry.User](Pantry, keyspec.Row{Key: keyspec.K("{UserId}", "USER")})

// Reserves an address, in lower case, for one user.
var emails = keyspec.Define[emailItem](Pantry, keyspec.Row{Key: keyspec.K("EMail#{Address}", "EMail")})

type emailItem struct {
	Address string        `dynamo:"Address,keyonly"`
	UserID  pantry.UserID `dynamo:"UserId"`
}

// A user's membership of a group. It exists exactly as long as the group's BelongingUsers
// contains the user, or until a deleted group has been cleaned up.
var memberships = keyspec.Define[membershipItem](Pantry, keyspec.Row{
	Key: keyspec.K("{UserID}", "Group#{GroupID}"),
	On:  keyspec.Indexes{UserAndGroupRelation: keyspec.K("{GroupID}", "{UserID}")},
})

type membershipItem struct {
	UserID   pantry.UserID  `dynamo:"UserID"`
	GroupID  pantry.GroupID `dynamo:"GroupID"`
	JoinedAt time.Time      `dynamo:"JoinedAt"`
}

// membershipCounts are counters on the user.
var membershipCounts = keyspec.Count(memberships, keyspec.Counters[membershipItem]{
	{Attribute: "GroupCount", Owner: func(m *membershipItem) keyspec.Key { return userKey(m.UserID) }},
})

func userKey(id pantry.UserID) keyspec.Key { return users.Key(string(id)) }

func membershipKey(user pantry.UserID, group pantry.GroupID) keyspec.Key {
	return memberships.Key(string(user), string(group))
}
