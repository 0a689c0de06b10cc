package archive

import (
	"context"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
)

// AuthLevel is a user's level of permissions.
type AuthLevel string

const (
	Guest       AuthLevel = "GUEST"
	Reader      AuthLevel = "READER"
	Contributor AuthLevel = "CONTRIBUTOR"
	Editor      AuthLevel = "EDITOR"
	Admin       AuthLevel = "ADMIN"
)

// levels lists the levels in the order of their numbers.
var levels = []AuthLevel{Guest, Reader, Contributor, Editor, Admin}

// Number returns the number of the level, which is stored.
func (l AuthLevel) Number() int {
	for n, other := range levels {
		if l == other {
			return n
		}
	}
	return -1
}

// LevelOf returns the level with a number.
func LevelOf(number int) AuthLevel { return levels[max(0, min(number, len(levels)-1))] }

// ParseLevel returns the level with a name, regardless of case.
func ParseLevel(name string) (AuthLevel, bool) {
	l := AuthLevel(strings.ToUpper(name))
	return l, l.Number() >= 0
}

// AtLeast reports whether the level includes the needed one.
func (l AuthLevel) AtLeast(needed AuthLevel) bool { return l.Number() >= needed.Number() }

// User is a registered user.
type User struct {
	ID             ID     `dynamo:"-"`
	Name           string `dynamo:"name"`
	Email          string `dynamo:"email"`
	EmailConfirmed bool   `dynamo:"email_confirmed,zero"`
	// Issuer and Subject are the identity.
	Issuer  string    `dynamo:"-"`
	Subject UserID    `dynamo:"-"`
	Enabled bool      `dynamo:"enabled,zero"`
	Level   AuthLevel `dynamo:"-"`
	// Imported is what the user has imported lately.
	Imported Imported `dynamo:",inline"`
	Stamps
}

// Identity is a signed-in person as known to their issuer.
type Identity struct {
	Issuer  string
	Subject UserID
	// Name may be empty.
	Name           string
	Email          string
	EmailConfirmed bool
}

// Key returns the identity in the form used in keys of users.
func (i Identity) Key() string { return IdentityKey(i.Issuer, i.Subject) }

// IdentityKey returns an identity in the form used in keys.
func IdentityKey(issuer string, subject UserID) string {
	return "iss=" + url.QueryEscape(issuer) + "&sub=" + url.QueryEscape(string(subject))
}

// ParseIdentityKey parses the result of IdentityKey.
func ParseIdentityKey(key string) (issuer string, subject UserID) {
	values, err := url.ParseQuery(key)
	if err != nil {
		return "", ""
	}
	return values.Get("iss"), UserID(values.Get("sub"))
}

// Register returns a new user of the identity.
func (i Identity) Register(id ID, level AuthLevel, now time.Time) (*User, error) {
	parsed, err := mail.ParseAddress(i.Email)
	if err != nil || parsed.Address != i.Email {
		return nil, ErrEmailRequired
	}
	if u, err := url.Parse(i.Issuer); err != nil || u.Scheme == "" || u.Host == "" {
		return nil, badInput("INVALID_ISSUER", "The issuer of the identity is no URL")
	}
	name := strings.TrimSpace(i.Name)
	if name == "" {
		name, _, _ = strings.Cut(i.Email, "@")
	}
	if err := checkName("user", name, maxName); err != nil {
		return nil, err
	}
	return &User{
		ID: id, Name: name, Email: i.Email, EmailConfirmed: i.EmailConfirmed, Issuer: i.Issuer, Subject: i.Subject,
		Enabled: true, Level: level, Stamps: StampsAt(now),
	}, nil
}

// Admit refuses those who do not have the needed level. u may be nil.
func (u *User) Admit(needed AuthLevel) error {
	switch {
	case u == nil:
		return ErrNotRegistered
	case !u.Enabled:
		return ErrDisabled
	case !u.Level.AtLeast(needed):
		return refusal.New(refusal.Forbidden, "", "This needs the level %s: ask an administrator", needed)
	}
	return nil
}

// IsActiveAdmin reports whether the user is an enabled administrator. At least one user
// always is.
func (u *User) IsActiveAdmin() bool { return u.Enabled && u.Level == Admin }

// Gate admits viewers.
type Gate interface {
	// Admit returns the viewer's user, or an error if they do not have the needed level.
	Admit(ctx context.Context, v viewer.Viewer, needed AuthLevel) (*User, error)
	// AdmitWith is like Admit, and reads other things in the same call.
	AdmitWith(ctx context.Context, v viewer.Viewer, needed AuthLevel, w Wanted) (*User, *Facts, error)
}
