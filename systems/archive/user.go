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

// AuthLevel is what somebody may do.
type AuthLevel string

const (
	Guest       AuthLevel = "GUEST"
	Reader      AuthLevel = "READER"
	Contributor AuthLevel = "CONTRIBUTOR"
	Editor      AuthLevel = "EDITOR"
	Admin       AuthLevel = "ADMIN"
)

// levels are in the order of their numbers.
var levels = []AuthLevel{Guest, Reader, Contributor, Editor, Admin}

// Number is that of the level, by which it is stored.
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

// ParseLevel finds a level by its name in any case.
func ParseLevel(name string) (AuthLevel, bool) {
	l := AuthLevel(strings.ToUpper(name))
	return l, l.Number() >= 0
}

// AtLeast reports whether somebody of the level may do what needs another one.
func (l AuthLevel) AtLeast(needed AuthLevel) bool { return l.Number() >= needed.Number() }

// User is somebody who is registered.
type User struct {
	ID             ID
	Name           string
	Email          string
	EmailConfirmed bool
	// Issuer and Subject are the identity.
	Issuer  string
	Subject UserID
	Enabled bool
	Level   AuthLevel
	Stamps
}

// Identity is who signs in, as their issuer knows them.
type Identity struct {
	Issuer  string
	Subject UserID
	// Name may be empty.
	Name           string
	Email          string
	EmailConfirmed bool
}

// Key is the identity as it stands in the keys of users.
func (i Identity) Key() string { return IdentityKey(i.Issuer, i.Subject) }

// IdentityKey is an identity as it stands in keys.
func IdentityKey(issuer string, subject UserID) string {
	return "iss=" + url.QueryEscape(issuer) + "&sub=" + url.QueryEscape(string(subject))
}

// ParseIdentityKey reads what IdentityKey made.
func ParseIdentityKey(key string) (issuer string, subject UserID) {
	values, err := url.ParseQuery(key)
	if err != nil {
		return "", ""
	}
	return values.Get("iss"), UserID(values.Get("sub"))
}

// Register makes the user of an identity.
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

// Admit refuses those who are not of a level, be they users or not.
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

// Rules reports whether the user keeps the archive from being without administrators.
func (u *User) Rules() bool { return u.Enabled && u.Level == Admin }

// Gate knows who the viewer is.
type Gate interface {
	// Admit returns the viewer's user, and refuses those who are not of a level.
	Admit(ctx context.Context, v viewer.Viewer, needed AuthLevel) (*User, error)
	// AdmitWith does the same, and reads other things in the same call.
	AdmitWith(ctx context.Context, v viewer.Viewer, needed AuthLevel, w Wanted) (*User, *Facts, error)
}
