package ops

import (
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
)

// Identities: who can sign in as a user, and how.
var identities = keyspec.Define[identityItem](Table, keyspec.Row{
	Key: keyspec.K("identity/{userId}", "-"),
})

type identityItem struct {
	UserID       viewer.UserID       `dynamo:"userId"`
	Entered      bool                `dynamo:"entered"`
	PasswordHash string              `dynamo:"passwordHash"`
	Seeded       bool                `dynamo:"seeded"`
	Email        string              `dynamo:"email"`
	Phone        string              `dynamo:"phone"`
	PendingEmail *pendingContactItem `dynamo:"pendingEmail"`
	PendingPhone *pendingContactItem `dynamo:"pendingPhone"`
	Apple        string              `dynamo:"apple"`
	Google       string              `dynamo:"google"`
	Facebook     string              `dynamo:"facebook"`
	Reset        *codeItem           `dynamo:"reset"`
	TokenVersion int                 `dynamo:"tokenVersion"`
	CreatedAt    keyspec.Stamp       `dynamo:"createdAt"`
	// DeletedAt is absent unless the identity has been deleted.
	DeletedAt keyspec.Stamp `dynamo:"deletedAt"`
	// Revision is what changes are conditional on.
	Revision int `dynamo:"revision"`
}

// pendingContactItem is a contact that is yet to be verified.
type pendingContactItem struct {
	Value    string   `dynamo:"value"`
	Code     codeItem `dynamo:"code"`
	Changing bool     `dynamo:"changing"`
}

// codeItem is a code that was sent.
type codeItem struct {
	Digest    string        `dynamo:"digest"`
	ExpiresAt keyspec.Stamp `dynamo:"expiresAt"`
	TriesLeft int           `dynamo:"triesLeft"`
}

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

// Families of refresh tokens, one for each sign-in.
var tokenFamilies = keyspec.Define[tokenFamilyItem](Table, keyspec.Row{
	Key: keyspec.K("refresh/{familyId}", "-"),
})

type tokenFamilyItem struct {
	FamilyID     string        `dynamo:"familyId,keyonly"`
	UserID       viewer.UserID `dynamo:"userId"`
	Digest       string        `dynamo:"digest"`
	TokenVersion int           `dynamo:"tokenVersion"`
	ExpiresAt    keyspec.Stamp `dynamo:"expiresAt"`
}

// Private keys, unencrypted: anyone who can read this table can sign in as anybody.
var identityKeys = keyspec.Define[identityKeyItem](Table, keyspec.Row{
	Key: keyspec.K("identityKey/{use}", "{keyId}"),
})

type identityKeyItem struct {
	Use       string        `dynamo:"use,keyonly"`
	KeyID     string        `dynamo:"keyId,keyonly"`
	Private   []byte        `dynamo:"private"`
	CreatedAt keyspec.Stamp `dynamo:"createdAt"`
}

// Messages that are shown instead of sent.
var identityMessages = keyspec.Define[identityMessageItem](Table, keyspec.Row{
	Key: keyspec.K("identityMessage/{userId}", "{sentAt}/{messageId}"),
})

type identityMessageItem struct {
	UserID    viewer.UserID `dynamo:"userId,keyonly"`
	SentAt    keyspec.Stamp `dynamo:"sentAt,keyonly"`
	MessageID string        `dynamo:"messageId,keyonly"`
	Channel   string        `dynamo:"channel"`
	To        string        `dynamo:"to"`
	Subject   string        `dynamo:"subject"`
	Text      string        `dynamo:"text"`
	Code      string        `dynamo:"code"`
	Link      string        `dynamo:"link"`
}
