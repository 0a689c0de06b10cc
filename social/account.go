package social

import (
	"cmp"
	"strings"
	"time"
)

// CognitoTokens are the tokens that start a session, under the names that clients know.
type CognitoTokens struct {
	AccessToken  string
	IdToken      string
	RefreshToken string
	// ExpiresIn is the lifetime of the access and ID tokens in seconds.
	ExpiresIn int
	TokenType string
}

// LoginProvider is an identity provider that users can sign in with.
type LoginProvider string

// The login providers.
const (
	AppleLogin    LoginProvider = "apple"
	FacebookLogin LoginProvider = "facebook"
	GoogleLogin   LoginProvider = "google"
)

// Channel is a way to contact a user, who has at most one verified contact per channel.
type Channel string

// The channels.
const (
	ViaEmail Channel = "email"
	ViaSMS   Channel = "sms"
)

// Of returns the user's verified contact, or "" if there is none.
func (c Channel) Of(u *User) string {
	if c == ViaEmail {
		return u.Email
	}
	return u.PhoneNumber
}

// anonymousAlphabet has the 32 digits and letters that are hard to confuse.
const anonymousAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// AnonymousUsername returns the name of a user who has not chosen one: 12 characters that
// encode the last 60 bits of a random UUID.
func AnonymousUsername(uuid string) string {
	var bits uint64
	digits := strings.ReplaceAll(uuid, "-", "")
	for _, digit := range digits[max(0, len(digits)-15):] {
		bits = bits<<4 | uint64(strings.IndexRune("0123456789abcdef", digit))&0xf
	}
	name := make([]byte, 12)
	for i := range name {
		name[i] = anonymousAlphabet[bits>>(5*(len(name)-1-i))&31]
	}
	return "user_" + string(name)
}

// Prospect is what a sign-up depends on: who holds the requested names, and when a former
// profile was removed.
type Prospect struct {
	// Holders maps folded names to their holders.
	Holders map[string]UsernameHolder
	// RemovedAt is when the user's last profile was removed, or zero.
	RemovedAt time.Time
}

// SignUpAt returns the sign-up time of a profile created now. It is never before the
// removal of a former profile, so timestamps tell which of the two something belongs to.
func (p Prospect) SignUpAt(now time.Time) time.Time {
	if now.Before(p.RemovedAt) {
		return p.RemovedAt
	}
	return now
}

// Verified returns the user with a newly verified contact. Anonymous users become regular
// ones.
func (u *User) Verified(c Channel, value string) *User {
	to := *u
	if c == ViaEmail {
		to.Email = value
	} else {
		to.PhoneNumber = value
	}
	return to.signedUp()
}

// Linked returns the user with a newly linked login, whose e-mail address they adopt if
// they have none.
func (u *User) Linked(email string) *User {
	to := *u
	to.Email = cmp.Or(u.Email, email)
	return to.signedUp()
}

func (u *User) signedUp() *User {
	if u.Status == UserAnonymous {
		u.Status = ""
	}
	return u
}
