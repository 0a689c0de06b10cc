package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/social"
)

// An e-mail address belongs to at most one user.
var userEmails = keyspec.Define[userEmailItem](Main, keyspec.Row{
	Key: keyspec.K("userEmail/{email}", "-"),
})

type userEmailItem struct {
	Email  string        `dynamo:"email,keyonly"`
	UserID social.UserID `dynamo:"userId"`
}

// A phone number belongs to at most one user.
var userPhones = keyspec.Define[userPhoneItem](Main, keyspec.Row{
	Key: keyspec.K("userPhoneNumber/{phoneNumber}", "-"),
})

type userPhoneItem struct {
	PhoneNumber string        `dynamo:"phoneNumber,keyonly"`
	UserID      social.UserID `dynamo:"userId"`
}

// A username is taken in all its spellings. The index on profiles cannot ensure that,
// because it holds exact spellings only and may lag.
var usernames = keyspec.Define[usernameItem](ops.Table, keyspec.Row{
	Key: keyspec.K("username/{lowerUsername}", "-"),
})

type usernameItem struct {
	// LowerUsername is the name as folded by social.FoldUsername.
	LowerUsername string `dynamo:"lowerUsername,keyonly"`
	social.UsernameHolder
}
