package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// A registered user.
var users = keyspec.Define[userItem](Pantry, keyspec.Row{Key: keyspec.K("{UserId}", "USER")})

type userItem struct {
	UserID     pantry.UserID      `dynamo:"UserId"`
	Name       string             `dynamo:"UserName"`
	Email      string             `dynamo:"EMailAddress"`
	GroupCount int                `dynamo:"GroupCount,zero"`
	CreatedAt  keyspec.MilliStamp `dynamo:"CreatedAt"`
	UpdatedAt  keyspec.MilliStamp `dynamo:"UpdatedAt"`
	Version    int                `dynamo:"Version"`
}

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
	UserID   pantry.UserID      `dynamo:"UserID"`
	GroupID  pantry.GroupID     `dynamo:"GroupID"`
	JoinedAt keyspec.MilliStamp `dynamo:"JoinedAt"`
}

// membershipCounts are counters on the user.
var membershipCounts = keyspec.Count(memberships, keyspec.Counters[membershipItem]{
	{Attribute: "GroupCount", Owner: func(m *membershipItem) keyspec.Key { return userKey(m.UserID) }},
})

func userKey(id pantry.UserID) keyspec.Key { return users.Key(string(id)) }

func membershipKey(user pantry.UserID, group pantry.GroupID) keyspec.Key {
	return memberships.Key(string(user), string(group))
}

func userItemOf(u *pantry.User) userItem {
	return userItem{
		UserID: u.ID, Name: u.Name, Email: u.Email, GroupCount: u.GroupCount, Version: u.Version,
		CreatedAt: keyspec.MilliStampOf(u.CreatedAt), UpdatedAt: keyspec.MilliStampOf(u.UpdatedAt),
	}
}

func (i *userItem) user() *pantry.User {
	return &pantry.User{
		ID: i.UserID, Name: i.Name, Email: i.Email, GroupCount: i.GroupCount, Version: i.Version,
		CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
	}
}
