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
	Type string `dynamo:"Type"`
	communities.User
	placeKeys
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

func userItemOf(u *communities.User) userItem { return userItem{"User", *u, placeKeysOf(u.Location)} }

func (i *userItem) user() *communities.User {
	u := i.User
	u.Permissions = nil
	for _, p := range i.Role.Permissions() { // never more than those of the present role
		if slices.Contains(i.Permissions, p) {
			u.Permissions = append(u.Permissions, p)
		}
	}
	return &u
}
