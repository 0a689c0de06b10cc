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

	"stoa"
)

// Store keeps profiles and the names they hold.
type Store interface {
	// Profile returns a profile, or nil when there is none.
	Profile(ctx context.Context, id stoa.UserID) (*stoa.User, error)
	// Facts returns the users among ids that exist, with how the viewer stands to each.
	Facts(ctx context.Context, viewer stoa.UserID, ids []stoa.UserID, d stoa.Detail) (map[stoa.UserID]stoa.UserFacts, error)
	// Holders returns who has the names, in any case of letters, by folded name.
	Holders(ctx context.Context, names []string) (map[string]stoa.UsernameHolder, error)
	// Create stores a new profile with its name and contacts, the first follow unless it
	// is nil, and the events. The follow is counted on top of u's counts. It fails with
	// ErrHasProfile, with ErrTaken, and with Conflict when the first follow cannot be made
	// any more.
	Create(ctx context.Context, u *stoa.User, first *stoa.FollowStep, e ...stoa.Event) error
	// Change stores what differs between two states of a profile, and the events. It
	// fails with ErrTaken when somebody else has the new name, and with Conflict when
	// the profile is gone, or its name or privacy are to change from another value.
	Change(ctx context.Context, from, to *stoa.User, e ...stoa.Event) error
	// SetLastClient records a client. It fails with Conflict when the profile is gone.
	SetLastClient(ctx context.Context, id stoa.UserID, client map[string]string) error
}

// Identity knows the accounts that people sign in with.
type Identity interface {
	// Account returns the verified contacts of an account, empty where there is none.
	Account(ctx context.Context, id stoa.UserID) (email, phone string, found bool, err error)
}

// Follows answers the requests that become pointless when a user goes public.
type Follows interface {
	OpenAll(ctx context.Context, id stoa.UserID) error
}

// Events is told about events once they are stored.
type Events interface {
	Committed(ctx context.Context, e ...stoa.Event)
	// Fulfilled takes an event back whose consequences have come about already.
	Fulfilled(ctx context.Context, e stoa.Event)
}

// Service is the user area. Its fields are set once.
type Service struct {
	Store    Store
	Identity Identity
	Follows  Follows
	Events   Events
	Now      func() time.Time
	NewID    func() string
}

// now is the present to the precision that is stored.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// Admit lets a viewer act who has a profile with one of the allowed statuses, and
// records the client they use. That record stays whatever comes of the operation.
func (s *Service) Admit(ctx context.Context, v stoa.Viewer, allowed []stoa.UserStatus) (stoa.Caller, error) {
	u, err := s.profile(ctx, v.UserID)
	if err != nil {
		return stoa.Caller{}, err
	}
	if !u.HasStatus(allowed) {
		return stoa.Caller{}, stoa.Forbid("User `%s` is not %s", v.UserID, oneOf(allowed))
	}
	if client := v.Client.Map(); u.UsesOther(client) {
		err := s.Store.SetLastClient(ctx, v.UserID, client)
		if stoa.KindOf(err) == stoa.Conflict {
			return stoa.Caller{}, missing(v.UserID)
		}
		if err != nil {
			return stoa.Caller{}, err
		}
		u.LastClient = client
	}
	return stoa.Caller{Viewer: v, User: u}, nil
}

// profile returns a profile that has to exist.
func (s *Service) profile(ctx context.Context, id stoa.UserID) (*stoa.User, error) {
	u, err := s.Store.Profile(ctx, id)
	if err == nil && u == nil {
		err = missing(id)
	}
	return u, err
}

func missing(id stoa.UserID) error { return stoa.Missing("User `%s` does not exist", id) }

// oneOf reads "ACTIVE or ANONYMOUS".
func oneOf(statuses []stoa.UserStatus) string {
	names := make([]string, len(statuses))
	for i, status := range statuses {
		names[i] = string(status)
	}
	return strings.Join(names, " or ")
}
