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
	ID             string `dynamo:"ID,keyonly"`
	Identity       string `dynamo:"identity,keyonly"`
	Name           string `dynamo:"name"`
	Email          string `dynamo:"email"`
	EmailConfirmed bool   `dynamo:"email_confirmed,zero"`
	Enabled        bool   `dynamo:"enabled,zero"`
	Level          int    `dynamo:"level,zero"`
	ImportDay      string `dynamo:"import_day"`
	ImportRows     int    `dynamo:"import_rows"`
	stamps
}

// Maps an identity to its only user.
var userKeys = keyspec.Define[userKeyItem](Archive, keyspec.Row{Key: keyspec.K("userKey#{identity}", "userKey")})

type userKeyItem struct {
	Identity string     `dynamo:"identity,keyonly"`
	UserID   archive.ID `dynamo:"user_id"`
}

func userKey(id archive.ID) keyspec.Key { return users.Key(id.String()) }

func userItemOf(u *archive.User) userItem {
	return userItem{
		ID: u.ID.String(), Identity: archive.IdentityKey(u.Issuer, u.Subject), Name: u.Name, Email: u.Email, EmailConfirmed: u.EmailConfirmed,
		Enabled: u.Enabled, Level: u.Level.Number(), ImportDay: u.Imported.Day, ImportRows: u.Imported.Rows, stamps: stampsOf(u.Stamps),
	}
}

func (i *userItem) user() *archive.User {
	issuer, subject := archive.ParseIdentityKey(i.Identity)
	return &archive.User{
		ID: idOf(i.ID), Name: i.Name, Email: i.Email, EmailConfirmed: i.EmailConfirmed, Issuer: issuer, Subject: subject,
		Enabled: i.Enabled, Level: archive.LevelOf(i.Level), Imported: archive.Imported{Day: i.ImportDay, Rows: i.ImportRows}, Stamps: i.stamps.stamps(),
	}
}
