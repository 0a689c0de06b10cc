package ops

import (
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
)

// Identities: who can sign in as a user, and how.
var identities = keyspec.Define[identity.Identity](Table, keyspec.Row{
	Key: keyspec.K("identity/{userId}", "-"),
})

// Guards: a verified e-mail address belongs to at most one identity, with or without a
// profile. Profiles have guards of their own in the main table.
var identityEmails = keyspec.Define[identityEmailItem](Table, keyspec.Row{
	Key: keyspec.K("identityEmail/{email}", "-"),
})

type identityEmailItem struct {
	Email  string        `dynamo:"email,keyonly"`
	UserID viewer.UserID `dynamo:"userId"`
}

// Guards: a verified phone number belongs to at most one identity.
var identityPhones = keyspec.Define[identityPhoneItem](Table, keyspec.Row{
	Key: keyspec.K("identityPhone/{phone}", "-"),
})

type identityPhoneItem struct {
	Phone  string        `dynamo:"phone,keyonly"`
	UserID viewer.UserID `dynamo:"userId"`
}

// Guards: a provider's login belongs to at most one identity.
var identityLogins = keyspec.Define[identityLoginItem](Table, keyspec.Row{
	Key: keyspec.K("identityLogin/{provider}/{subject}", "-"),
})

type identityLoginItem struct {
	Provider string        `dynamo:"provider,keyonly"`
	Subject  string        `dynamo:"subject,keyonly"`
	UserID   viewer.UserID `dynamo:"userId"`
}

// Claims: a contact that the owner of an identity has yet to verify. Any number of identities
// may claim one, and the latest sorts last.
var identityClaims = keyspec.Define[identityClaimItem](Table, keyspec.Row{
	Key: keyspec.K("identityClaim/{contact}", "{createdAt}/{userId}"),
})

// identityClaimItem has the creation time of the identity, which never changes.
type identityClaimItem struct {
	Contact   string        `dynamo:"contact,keyonly"`
	CreatedAt time.Time     `dynamo:"createdAt,keyonly"`
	UserID    viewer.UserID `dynamo:"userId,keyonly"`
}

// Families of refresh tokens, one for each sign-in.
var tokenFamilies = keyspec.Define[identity.TokenFamily](Table, keyspec.Row{
	Key: keyspec.K("refresh/{familyId}", "-"),
})

// What is known of the sessions of a user.
var sessions = keyspec.Define[sessionItem](Table, keyspec.Row{
	Key: keyspec.K("session/{userId}", "{familyId}"),
})

type sessionItem struct {
	UserID       viewer.UserID `dynamo:"userId,keyonly"`
	FamilyID     string        `dynamo:"familyId,keyonly"`
	TokenVersion int           `dynamo:"tokenVersion"`
	StartedAt    time.Time     `dynamo:"startedAt"`
	LastUsedAt   time.Time     `dynamo:"lastUsedAt"`
	identity.Origin
}

func sessionOf(f identity.TokenFamily) sessionItem {
	return sessionItem{f.UserID, f.FamilyID, f.TokenVersion, f.StartedAt, f.LastUsedAt, f.Origin}
}

// Private keys, unencrypted: anyone who can read this table can sign in as anybody.
var identityKeys = keyspec.Define[identity.Key](Table, keyspec.Row{
	Key: keyspec.K("identityKey/{use}", "{keyId}"),
})

// Messages that are shown instead of sent.
var identityMessages = keyspec.Define[identity.Message](Table, keyspec.Row{
	Key: keyspec.K("identityMessage/{userId}", "{sentAt}/{messageId}"),
})
