package store

import (
	"slices"

	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// A registered user. A deleted one is kept without their data.
var users = keyspec.Define[userItem](Users, keyspec.Row{
	Key: keyspec.K("USER#{Id}", ""),
	On:  keyspec.Indexes{UsersByLocation: keyspec.K("COUNTRY#{country}", "STATE#{state}#CITY#{city}")},
})

type userItem struct {
	Type          string             `dynamo:"Type"`
	ID            communities.UserID `dynamo:"Id"`
	Username      string             `dynamo:"Username"`
	Name          string             `dynamo:"Name"`
	PasswordHash  string             `dynamo:"PasswordHash"`
	Email         string             `dynamo:"Email"`
	Bio           *string            `dynamo:"Bio"`
	Location      *locationItem      `dynamo:"Location"`
	CreatedAt     keyspec.MilliStamp `dynamo:"CreatedAt"`
	LastSeenAt    keyspec.MilliStamp `dynamo:"LastSeenAt"`
	AvatarURL     *string            `dynamo:"AvatarURL"`
	CoverPhotoURL *string            `dynamo:"CoverPhotoURL"`
	Role          communities.Role   `dynamo:"Role"`
	Permissions   keyspec.Set        `dynamo:"Permissions"`
	Banned        bool               `dynamo:"Banned,zero"`
	TokenVersion  int                `dynamo:"TokenVersion,zero"`
	FoundedCount  int                `dynamo:"FoundedCount,zero"`
	Version       int                `dynamo:"Version"`
	Deleted       bool               `dynamo:"Deleted,zero"`
	placeKeys
}

// locationItem is a location as entered.
type locationItem struct {
	City    string `dynamo:"City"`
	State   string `dynamo:"State"`
	Country string `dynamo:"Country"`
}

// placeKeys are the folded names of a location, which are used only in index keys.
type placeKeys struct {
	Country string `dynamo:"country,keyonly"`
	State   string `dynamo:"state,keyonly"`
	City    string `dynamo:"city,keyonly"`
}

func placeKeysOf(l communities.Location) placeKeys {
	l = l.Folded()
	return placeKeys{l.Country, l.State, l.City}
}

func locationItemOf(l communities.Location) *locationItem {
	if l == (communities.Location{}) {
		return nil
	}
	return &locationItem{l.City, l.State, l.Country}
}

func (l *locationItem) location() communities.Location {
	if l == nil {
		return communities.Location{}
	}
	return communities.Location{City: l.City, State: l.State, Country: l.Country}
}

// Reserves a username for one user.
var usernames = keyspec.Define[userGuardItem](Users, keyspec.Row{Key: keyspec.K("USERNAME#{name}", "")})

// Reserves an address for one user.
var emails = keyspec.Define[userGuardItem](Users, keyspec.Row{Key: keyspec.K("USEREMAIL#{name}", "")})

type userGuardItem struct {
	Type   string             `dynamo:"Type"`
	Name   string             `dynamo:"name,keyonly"`
	UserID communities.UserID `dynamo:"UserId"`
}

func usernameGuard(u *communities.User) userGuardItem {
	return userGuardItem{"Username", communities.Fold(u.Username), u.ID}
}

func emailGuard(u *communities.User) userGuardItem {
	return userGuardItem{"Email", communities.Fold(u.Email), u.ID}
}

func userKey(id communities.UserID) keyspec.Key { return users.Key(string(id)) }

func userItemOf(u *communities.User) userItem {
	i := userItem{
		Type: "User", ID: u.ID, Username: u.Username, Name: u.Name, PasswordHash: u.PasswordHash, Email: u.Email, Bio: u.Bio,
		Location: locationItemOf(u.Location), CreatedAt: keyspec.MilliStampOf(u.CreatedAt), LastSeenAt: keyspec.MilliStampOf(u.LastSeenAt),
		AvatarURL: u.AvatarURL, CoverPhotoURL: u.CoverPhotoURL, Role: u.Role, Permissions: permissionSet(u.Permissions),
		Banned: u.Banned, TokenVersion: u.TokenVersion, FoundedCount: u.FoundedCount, Version: u.Version, Deleted: u.Deleted,
	}
	if i.Location != nil {
		i.placeKeys = placeKeysOf(u.Location)
	}
	return i
}

func permissionSet(permissions []communities.Permission) keyspec.Set {
	set := make(keyspec.Set, len(permissions))
	for i, p := range permissions {
		set[i] = string(p)
	}
	return set
}

func (i *userItem) user() *communities.User {
	u := &communities.User{
		ID: i.ID, Username: i.Username, Name: i.Name, PasswordHash: i.PasswordHash, Email: i.Email, Bio: i.Bio,
		Location: i.Location.location(), CreatedAt: i.CreatedAt.Time(), LastSeenAt: i.LastSeenAt.Time(),
		AvatarURL: i.AvatarURL, CoverPhotoURL: i.CoverPhotoURL, Role: i.Role, Banned: i.Banned, TokenVersion: i.TokenVersion,
		FoundedCount: i.FoundedCount, Version: i.Version, Deleted: i.Deleted,
	}
	for _, p := range i.Role.Permissions() { // never more than those of the present role
		if slices.Contains(i.Permissions, string(p)) {
			u.Permissions = append(u.Permissions, p)
		}
	}
	return u
}
