package social

import (
	"strings"
	"time"
)

// CognitoTokens are what a session begins with, under the names that apps know them by.
type CognitoTokens struct {
	AccessToken  string
	IdToken      string
	RefreshToken string
	// ExpiresIn is the life of the access and id token in seconds.
	ExpiresIn int
	TokenType string
}

// LoginProvider is who vouches for somebody besides the account.
type LoginProvider string

// The providers of logins.
const (
	AppleLogin    LoginProvider = "apple"
	FacebookLogin LoginProvider = "facebook"
	GoogleLogin   LoginProvider = "google"
)

// Channel is a way to reach somebody, who can have one verified contact for each.
type Channel string

// The channels that there are.
const (
	ViaEmail Channel = "email"
	ViaSMS   Channel = "sms"
)

// Of is the verified contact of a user, empty without one.
func (c Channel) Of(u *User) string {
	if c == ViaEmail {
		return u.Email
	}
	return u.PhoneNumber
}

// anonymousAlphabet spells the names of anonymous users: digits and letters that are not
// taken for one another.
const anonymousAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// AnonymousUsername is the name of a user who has chosen none: 12 characters, which stand
// for the last 60 bits of a random UUID.
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

// Prospect is what stands in the way of a new profile, and what is left of a former one.
type Prospect struct {
	// Holders are who has the names that were asked for, by folded name.
	Holders map[string]UsernameHolder
	// RemovedAt is when a profile of the user was removed last, zero for never.
	RemovedAt time.Time
}

// SignUpAt is when a profile begins that is made now: not before a former profile of the user
// was removed, so that times tell which of the two something belongs to.
func (p Prospect) SignUpAt(now time.Time) time.Time {
	if now.Before(p.RemovedAt) {
		return p.RemovedAt
	}
	return now
}

// Verified is the user once a contact of theirs is verified: nobody stays anonymous with one.
func (u *User) Verified(c Channel, value string) *User {
	to := *u
	if c == ViaEmail {
		to.Email = value
	} else {
		to.PhoneNumber = value
	}
	return to.signedUp()
}

// Linked is the user once a login is linked: its e-mail becomes theirs if they have none.
func (u *User) Linked(email string) *User {
	to := *u
	to.Email = orElse(u.Email, email)
	return to.signedUp()
}

func (u *User) signedUp() *User {
	if u.Status == UserAnonymous {
		u.Status = ""
	}
	return u
}
