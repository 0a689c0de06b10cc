package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/social"
)

// An e-mail address belongs to one user at most.
var userEmails = keyspec.Define[userEmailItem](Main, keyspec.Row{
	Key: keyspec.K("userEmail/{email}", "-"),
})

type userEmailItem struct {
	Email  string        `dynamo:"email,keyonly"`
	UserID social.UserID `dynamo:"userId"`
}

// A phone number belongs to one user at most.
var userPhones = keyspec.Define[userPhoneItem](Main, keyspec.Row{
	Key: keyspec.K("userPhoneNumber/{phoneNumber}", "-"),
})

type userPhoneItem struct {
	PhoneNumber string        `dynamo:"phoneNumber,keyonly"`
	UserID      social.UserID `dynamo:"userId"`
}

// A username is taken in all its spellings. The index on profiles could not promise
// that: it knows exact spellings only, and may lag behind.
var usernames = keyspec.Define[usernameItem](ops.Table, keyspec.Row{
	Key: keyspec.K("username/{lowerUsername}", "-"),
})

type usernameItem struct {
	// LowerUsername is the name as social.FoldUsername makes it.
	LowerUsername string        `dynamo:"lowerUsername,keyonly"`
	UserID        social.UserID `dynamo:"userId"`
	// Username is the name as its holder spells it.
	Username string `dynamo:"username"`
}
