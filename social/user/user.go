// Package user decides about profiles: who may act, what a profile may hold, who has
// which name, and what one user sees of another.
//
// A profile leaves this package as a SeenUser only. The one exception is the Caller
// that Admit makes, who knows their own profile anyway.
package user

import (
	"context"
	"strings"
	"time"

	"stoa/internal/auth/provider"
	"stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store keeps profiles and the names they hold.
type Store interface {
	// Profile returns a profile, or nil when there is none.
	Profile(ctx context.Context, id social.UserID) (*social.User, error)
	social.UserReader
	// Holders returns who has the names, in any case of letters, by folded name.
	Holders(ctx context.Context, names []string) (map[string]social.UsernameHolder, error)
	// Search returns the users whose names match a text, from an offset on, the best
	// first, and whether there are more.
	Search(ctx context.Context, text string, offset, limit int) (ids []social.UserID, more bool, err error)
	// HoldersOfContacts returns who has the verified addresses of contacts.
	HoldersOfContacts(ctx context.Context, contacts social.Contacts) (byEmail, byPhone map[string]social.UserID, err error)
	// FoundContacts records when a user looked up contacts, and the events. It fails with
	// Conflict when the profile is gone.
	FoundContacts(ctx context.Context, id social.UserID, at time.Time, e ...outbox.Record) error
	// Prospect returns what is known of an id before it gets a profile, and of names.
	Prospect(ctx context.Context, id social.UserID, names ...string) (social.Prospect, error)
	// Create stores a new profile with its name and contacts, the first follow unless it
	// is nil, the change of the account, and the events. The follow is counted on top of
	// u's counts. It fails with ErrHasProfile, with ErrTaken, and with Conflict when the
	// first follow or the account are not as they were.
	Create(ctx context.Context, u *social.User, first *social.FollowStep, account identity.Change, e ...outbox.Record) error
	// ChangeAccount stores what differs between two states of a profile with the contacts
	// that it is found by, the change of the account, and the events. It fails with
	// Conflict when the profile is gone or has another status or contact, and when the
	// account is not as it was.
	ChangeAccount(ctx context.Context, from, to *social.User, account identity.Change, e ...outbox.Record) error
	// Disable stores a user as disabled, with a ban unless it is nil, and the events. A ban
	// that is there stays as it is. It fails with Conflict when the profile is gone or has
	// another status.
	Disable(ctx context.Context, from, to *social.User, ban *social.Ban, e ...outbox.Record) error
	// Banned returns which of a device and contacts somebody was banned with; empty ones
	// were not.
	Banned(ctx context.Context, device, email, phone string) (social.Banned, error)
	// Remove removes a profile and leaves a tombstone, with the change of the account and
	// the events. It fails with Conflict when the profile or the account are not as they
	// were.
	Remove(ctx context.Context, u *social.User, at time.Time, account identity.Change, e ...outbox.Record) error
	// Change stores what differs between two states of a profile, and the events. It
	// fails with ErrTaken when somebody else has the new name, and with Conflict when
	// the profile is gone, or its names or privacy are to change from another value.
	Change(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// BornOn returns those whose birthday is on a day, which is written MM-DD.
	BornOn(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error)
	// SetLastClient records a client. It fails with Conflict when the profile is gone.
	SetLastClient(ctx context.Context, id social.UserID, client map[string]string) error
}

// Identity knows the accounts that people sign in with.
type Identity interface {
	// Account returns the verified contacts of an account, empty where there is none.
	Account(ctx context.Context, id social.UserID) (email, phone string, found bool, err error)
}

// Issuer is the built-in identity, which changes accounts. What changes in the profile at the
// same time is stored by save, in one transaction with the account.
type Issuer interface {
	EnterAnonymously(ctx context.Context, id social.UserID, save identity.Save) (identity.Tokens, error)
	EnterWithLogin(ctx context.Context, id social.UserID, login provider.Login, save identity.Save) error
	Link(ctx context.Context, id social.UserID, login provider.Login, save identity.Save) error
	ContactHolder(ctx context.Context, channel, value string) (id social.UserID, found bool, err error)
	StartChange(ctx context.Context, id social.UserID, channel, value string) error
	FinishChange(ctx context.Context, id social.UserID, channel, code string, save identity.Save) error
	SetPassword(ctx context.Context, id social.UserID, encrypted string) error
	Delete(ctx context.Context, id social.UserID, save identity.Save) error
}

// Ties are what is between users.
type Ties interface {
	// Sever ends the follow of a user who was removed that is older than a time, if there is
	// one.
	Sever(ctx context.Context, removed, followed social.UserID, before time.Time) error
}

// Service is the user area. Its fields are set once.
type Service struct {
	Store    Store
	Identity Identity
	// Issuer is nil when somebody else keeps the accounts.
	Issuer Issuer
	// Ties ends what former profiles have left between users; nil where none has.
	Ties Ties
	// Providers are who else people may sign in with.
	Providers provider.Providers
	// Reserved are names that nobody may take.
	Reserved social.ReservedUsernames
	Posts    social.PostReader
	Photos   Photos
	Devices  Devices
	// Placeholders are the codes of the placeholder photos that there are.
	Placeholders []string
	Events       outbox.Sender
}

// issuer returns the built-in identity, or refuses what only that can do.
func (s *Service) issuer() (Issuer, error) {
	if s.Issuer == nil {
		return nil, refusal.Invalidf("Accounts are kept by another identity provider: do this there")
	}
	return s.Issuer, nil
}

// Admit lets a viewer act who has a profile with one of the allowed statuses, and
// records the client they use. That record stays whatever comes of the operation.
func (s *Service) Admit(ctx context.Context, v social.Viewer, allowed []social.UserStatus) (social.Caller, error) {
	u, err := s.profile(ctx, v.UserID)
	if err != nil {
		return social.Caller{}, err
	}
	if !u.HasStatus(allowed) {
		return social.Caller{}, unfit(v.UserID, allowed)
	}
	if client := v.Client.Map(); u.UsesOther(client) {
		err := s.Store.SetLastClient(ctx, v.UserID, client)
		if refusal.KindOf(err) == refusal.Conflict {
			return social.Caller{}, missing(v.UserID)
		}
		if err != nil {
			return social.Caller{}, err
		}
		u.LastClient = client
	}
	return social.Caller{Viewer: v, User: u}, nil
}

// profile returns a profile that has to exist.
func (s *Service) profile(ctx context.Context, id social.UserID) (*social.User, error) {
	u, err := s.Store.Profile(ctx, id)
	if err == nil && u == nil {
		err = missing(id)
	}
	return u, err
}

func missing(id social.UserID) error { return refusal.NotFoundf("User `%s` does not exist", id) }

func unfit(id social.UserID, allowed []social.UserStatus) error {
	return refusal.Forbiddenf("User `%s` is not %s", id, oneOf(allowed))
}

// oneOf reads "ACTIVE or ANONYMOUS".
func oneOf(statuses []social.UserStatus) string {
	names := make([]string, len(statuses))
	for i, status := range statuses {
		names[i] = string(status)
	}
	return strings.Join(names, " or ")
}
