package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// A registered user. Listed by identity.
var users = keyspec.Define[userItem](Archive, keyspec.Row{
	Key: keyspec.K("{ID}", "user"), On: keyspec.Indexes{BySort: keyspec.K("user", "{identity}")},
})

type userItem struct {
	archive.User
	Key         string `dynamo:"ID,keyonly"`
	Identity    string `dynamo:"identity,keyonly"`
	LevelNumber int    `dynamo:"level,zero"`
}

// Maps an identity to its only user.
var userKeys = keyspec.Define[userKeyItem](Archive, keyspec.Row{Key: keyspec.K("userKey#{identity}", "userKey")})

type userKeyItem struct {
	Identity string     `dynamo:"identity,keyonly"`
	UserID   archive.ID `dynamo:"user_id"`
}

func userKey(id archive.ID) keyspec.Key { return users.Key(id.String()) }

func userItemOf(u *archive.User) userItem {
	return userItem{*u, u.ID.String(), archive.IdentityKey(u.Issuer, u.Subject), u.Level.Number()}
}

func (i *userItem) user() *archive.User {
	i.ID, i.Level = idOf(i.Key), archive.LevelOf(i.LevelNumber)
	i.Issuer, i.Subject = archive.ParseIdentityKey(i.Identity)
	return &i.User
}
