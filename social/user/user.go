// Package user manages profiles: who is admitted, what a profile may contain, unique
// usernames, and what users see of each other.
//
// A profile leaves this package only as a SeenUser, except for the Caller that Admit
// returns, who knows their own profile anyway.
package user

import (
	"context"
	"strings"
	"time"

	"stoa/internal/auth/provider"
	"stoa/internal/decision"
	"stoa/internal/desk"
	"stoa/internal/identity"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// Store stores profiles and their usernames.
type Store interface {
	social.ProfileReader
	social.UserReader
	// FactsFor is Facts for a viewer whose profile is known and not read again.
	FactsFor(ctx context.Context, viewer *social.User, ids []social.UserID, d social.Detail) (map[social.UserID]social.UserFacts, error)
	// Holders returns the users with the given usernames, regardless of case, by folded
	// name.
	Holders(ctx context.Context, names []string) (map[string]social.UsernameHolder, error)
	// Search returns the users whose names match a text, best match first, starting at
	// offset, and whether there are more.
	Search(ctx context.Context, text string, offset, limit int) (ids []social.UserID, more bool, err error)
	// HoldersOfContacts returns the users with the verified addresses of contacts.
	HoldersOfContacts(ctx context.Context, contacts social.Contacts) (byEmail, byPhone map[string]social.UserID, err error)
	// FoundContacts records when a user looked up contacts, and stores the events. It fails
	// with Conflict if the profile is gone.
	FoundContacts(ctx context.Context, id social.UserID, at time.Time, e ...outbox.Record) error
	// Prospect returns what is stored about an id before it has a profile, and the holders
	// of names.
	Prospect(ctx context.Context, id social.UserID, names ...string) (social.Prospect, error)
	// Create stores a new profile with its username and contacts, the first follow unless
	// it is nil, the change of the account, and the events. The follow is counted in
	// addition to u's counters. It fails with ErrHasProfile, with ErrTaken, and with
	// Conflict if the first follow or the account has changed.
	Create(ctx context.Context, u *social.User, first *social.FollowStep, account identity.Change, e ...outbox.Record) error
	// ChangeAccount stores the differences between two states of a profile, including its
	// contacts, the change of the account, and the events. It fails with Conflict if the
	// profile is gone, its status or contact has changed, or the account has changed.
	ChangeAccount(ctx context.Context, from, to *social.User, account identity.Change, e ...outbox.Record) error
	// Disable stores a user as disabled, with a ban unless it is nil, and the events. An
	// existing ban stays unchanged. It fails with Conflict if the profile is gone or its
	// status has changed.
	Disable(ctx context.Context, from, to *social.User, ban *social.Ban, e ...outbox.Record) error
	// Enable stores a user as no longer disabled, without their ban, and the events. It fails
	// with Conflict if the profile is gone or its status has changed.
	Enable(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Removed reports whether a user has left a tombstone. EraseFormer deletes it, stores the
	// events, and replaces the user's ban by hashes that ForgetBans deletes after a time.
	Removed(ctx context.Context, id social.UserID) (bool, error)
	EraseFormer(ctx context.Context, id social.UserID, until time.Time, e ...outbox.Record) error
	ForgetBans(ctx context.Context, now time.Time) error
	// EraseTraces removes a former user from a page of the rows of others.
	EraseTraces(ctx context.Context, id social.UserID, name, cursor string) (next string, rows int, err error)
	// Ban adds a ban unless the user has one, and Unban removes it, if it is for a reason; ""
	// stands for any.
	Ban(ctx context.Context, ban *social.Ban) error
	Unban(ctx context.Context, id social.UserID, only social.BanReason) error
	// Banned returns which of a device and contacts are banned. Empty ones are not.
	Banned(ctx context.Context, device, email, phone string) (social.Banned, error)
	// Remove deletes a profile and leaves a tombstone, with the change of the account and
	// the events. It fails with Conflict if the profile or the account has changed.
	Remove(ctx context.Context, u *social.User, at time.Time, account identity.Change, e ...outbox.Record) error
	// Change stores the differences between two states of a profile, and the events. It
	// fails with ErrTaken if another user has the new username, and with Conflict if the
	// profile is gone, or a name or privacy to be changed has another value.
	Change(ctx context.Context, from, to *social.User, e ...outbox.Record) error
	// Report stores a report with its case. It fails with Conflict if either profile is gone,
	// or the caller has reported the user since.
	Report(ctx context.Context, of social.UserID, r desk.Reporting, e ...outbox.Record) error
	// BornOn returns the users whose birthday is on a day, in the form MM-DD.
	BornOn(ctx context.Context, day string, q page.Query) (page.Page[social.UserID], error)
	// SetLastClient records a client. It fails with Conflict if the profile is gone.
	SetLastClient(ctx context.Context, id social.UserID, client map[string]string) error
}

// Identity reads the accounts that users sign in with.
type Identity interface {
	// Account returns the verified contacts of an account, empty if it has none.
	Account(ctx context.Context, id social.UserID) (email, phone string, found bool, err error)
}

// Issuer is the built-in identity service, which changes accounts. save stores the change
// of the profile in one transaction with that of the account.
type Issuer interface {
	EnterAnonymously(ctx context.Context, id social.UserID, save identity.Save) (identity.Tokens, error)
	EnterWithLogin(ctx context.Context, id social.UserID, login provider.Login, save identity.Save) error
	Link(ctx context.Context, id social.UserID, login provider.Login, save identity.Save) error
	ContactHolder(ctx context.Context, channel, value string) (id social.UserID, found bool, err error)
	StartChange(ctx context.Context, id social.UserID, channel, value string) error
	FinishChange(ctx context.Context, id social.UserID, channel, code string, save identity.Save) error
	SetPassword(ctx context.Context, id social.UserID, encrypted string) error
	Delete(ctx context.Context, id social.UserID, save identity.Save) error
	Forget(ctx context.Context, id social.UserID) error
}

// Ties severs follows of former profiles.
type Ties interface {
	// Sever ends a removed user's follow that was made before the given time, if there is
	// one.
	Sever(ctx context.Context, removed, followed social.UserID, before time.Time) error
}

// Service implements the user area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Identity Identity
	// Issuer is nil if another service manages the accounts.
	Issuer Issuer
	// Ties ends follows left by former profiles; nil if there are none.
	Ties Ties
	// Providers are the identity providers whose logins are accepted.
	Providers provider.Providers
	// Reserved are usernames that nobody may take.
	Reserved social.ReservedUsernames
	// FollowedByAll is the user whom every new user follows. Moderators alone may take their
	// username.
	FollowedByAll social.FollowedByAll
	Moderators    social.Moderators
	// Cases has the cases of users who were reported.
	Cases   desk.ReportReader
	Posts   social.PostReader
	Photos  Photos
	Devices Devices
	// Placeholders are the codes of the available placeholder photos.
	Placeholders []string
}

// issuer returns the built-in identity service, or an error if there is none.
func (s *Service) issuer() (Issuer, error) {
	if s.Issuer == nil {
		return nil, refusal.Invalidf("Accounts are kept by another identity provider: do this there")
	}
	return s.Issuer, nil
}

// Admit returns the caller if the viewer has a profile with one of the allowed statuses,
// and records the client they use. The record is kept whatever the outcome of the
// operation.
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

// profile returns a profile, or an error if it does not exist.
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

// oneOf formats statuses as "ACTIVE or ANONYMOUS".
func oneOf(statuses []social.UserStatus) string {
	names := slice.Map(statuses, func(status social.UserStatus) string { return string(status) })
	return strings.Join(names, " or ")
}
