// Package account manages accounts: creating, signing in to, changing, suspending and
// deleting them, and their devices.
//
// The caller's account is read with each request, so that a suspension is effective at
// once. Only tokens revoked by a new password may be accepted for some seconds by other
// processes.
package account

import (
	"context"
	"io"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Store stores accounts. Changes fail with refusal.Conflict if the user has changed since
// it was read.
type Store interface {
	messaging.Reader
	// Create fails with ErrLoginTaken and TagsTaken.
	Create(ctx context.Context, u *messaging.User, secret *messaging.Secret, hidden []*messaging.Subscription) error
	// Update fails with TagsTaken.
	Update(ctx context.Context, before, after *messaging.User, events ...outbox.Record) error
	// Prove takes the tags that after has in addition from their owners, given as read and
	// without them.
	Prove(ctx context.Context, before, after *messaging.User, losers map[*messaging.User]*messaging.User) error
	// Rename fails with ErrLoginTaken.
	Rename(ctx context.Context, before, after *messaging.User, old, secret *messaging.Secret) error
	Revoke(ctx context.Context, u *messaging.User, old, secret *messaging.Secret, version int) error
	Govern(ctx context.Context, before, after *messaging.User, version int, events ...outbox.Record) error
	Delete(ctx context.Context, u *messaging.User, version int, at time.Time, events ...outbox.Record) error
	Forget(ctx context.Context, id messaging.UserID, events ...outbox.Record) error
	// EraseTraces removes a former user from a page of what others have.
	EraseTraces(ctx context.Context, id messaging.UserID, cursor string) (next string, rows int, err error)
	Register(ctx context.Context, u *messaging.User, d messaging.Device, from messaging.UserID, dropped []messaging.Device) error
	Unregister(ctx context.Context, id messaging.UserID, device string) (bool, error)
	DeviceOwner(ctx context.Context, device string) (messaging.UserID, error)
}

// Tokens issues tokens to users.
type Tokens interface {
	// Issue returns a token of the given version.
	Issue(ctx context.Context, id messaging.UserID, version int, level messaging.Level) (token string, expires time.Time, err error)
	// Forget makes this process refuse revoked tokens at once.
	Forget(id messaging.UserID)
}

// Identities are the accounts of the service's own identity.
type Identities interface {
	// Authenticate returns whose token it is, "" if there is none.
	Authenticate(ctx context.Context, token string) (viewer.UserID, error)
	// Account returns what an account has verified.
	Account(ctx context.Context, id viewer.UserID) (email, phone string, found bool, err error)
}

// Passwords hashes and verifies passwords, which is slow on purpose.
type Passwords interface {
	Hash(ctx context.Context, password string) ([]byte, error)
	// Matches returns false if there is no hash, and takes as long as with one.
	Matches(ctx context.Context, hash []byte, password string) (bool, error)
}

// Attempts limits attempts to sign in and to sign up.
type Attempts interface {
	// SignIn counts an attempt as a failure until succeeded is called.
	SignIn(account, address string) (succeeded func(), err error)
	SignUp(address string) error
}

// Service implements the account area. Its fields are set once.
type Service struct {
	decision.Frame
	Store     Store
	Tokens    Tokens
	Passwords Passwords
	Attempts  Attempts
	// HashPrice is the price of mutations that hash a password for anyone who asks.
	HashPrice int
	// Identities are where users verify addresses and numbers.
	Identities Identities
	// Operates reports whether a caller without an account is an operator of the service.
	Operates func(ctx context.Context, id viewer.UserID) (bool, error)
	// Random is the source of user ids.
	Random io.Reader
}

// Create makes an account and signs in.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, r messaging.Registration) (*messaging.SignedIn, error) {
	if err := s.Attempts.SignUp(v.Address); err != nil {
		return nil, err
	}
	login, hash, level := "", []byte(nil), messaging.Anon
	access, err := r.Access.On(messaging.Access{Auth: messaging.PairMode})
	if err != nil {
		return nil, err
	}
	free, err := messaging.NormalTags(r.Tags)
	if err := input.First(err, messaging.CheckPublic(r.Public), messaging.CheckPrivate(r.Private)); err != nil {
		return nil, err
	}
	if !r.Anonymous {
		level = messaging.Auth
		if login, err = messaging.ParseLogin(r.Login); err != nil {
			return nil, err
		}
		if err := messaging.CheckPassword(r.Password); err != nil {
			return nil, err
		}
		if hash, err = s.Passwords.Hash(ctx, r.Password); err != nil {
			return nil, err
		}
	}
	now := s.Now()
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SignedIn, error) {
		id, err := messaging.NewID(s.Random)
		if err != nil {
			return nil, err
		}
		u := &messaging.User{
			ID: messaging.UserID(id), CreatedAt: now, UpdatedAt: now, Access: access, Public: r.Public, State: messaging.InUse,
			Tags: messaging.WithLogin(free, login),
		}
		var secret *messaging.Secret
		if login != "" {
			secret = &messaging.Secret{Key: messaging.BasicTag(login), User: u.ID, Hash: hash, Level: level}
		}
		if err := s.Store.Create(ctx, u, secret, messaging.Hidden(u.ID, r.Private, now)); err != nil {
			return nil, err
		}
		return s.signIn(ctx, u, &messaging.Facts{})
	})
}

// Update changes the viewer's account.
func (s *Service) Update(ctx context.Context, v viewer.Viewer, c messaging.AccountChange) (*messaging.SeenUser, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.SeenUser, error) {
		facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Presences: []messaging.UserID{v.UserID}})
		if err != nil {
			return nil, err
		}
		after := *self.User
		after.UpdatedAt = s.next(self.User)
		if c.Public.Given {
			after.Public = optional.Or(c.Public.Value, "")
		}
		if after.Access, err = c.Access.On(self.Access); err != nil {
			return nil, err
		}
		if c.Tags.Given {
			own := messaging.BasicTag(self.Login())
			chosen := slices.DeleteFunc(slices.Clone(optional.Or(c.Tags.Value, nil)), func(t string) bool { normal, _ := messaging.NormalTag(t); return normal == own })
			free, err := messaging.NormalTags(chosen)
			if err != nil {
				return nil, err
			}
			after.Tags = messaging.WithLogin(free, self.Login())
		}
		if err := messaging.CheckPublic(after.Public); err != nil {
			return nil, err
		}
		return s.seen(v.UserID, &after, facts), s.Store.Update(ctx, self.User, &after)
	})
}

// Delete deletes the viewer's account. What belongs to it is removed when the event is
// received.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, hard bool) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		facts, self, err := messaging.Ask(ctx, s.Store, v.UserID, messaging.Wanted{Versions: []messaging.UserID{v.UserID}})
		if err != nil {
			return err
		}
		now := s.next(self.User)
		records := a.Emit(messaging.Locked{User: self.ID}, messaging.AccountEnded{User: self.ID, At: now, Hard: hard})
		if err := s.Store.Delete(ctx, self.User, facts.Versions[v.UserID], now, records...); err != nil {
			return err
		}
		s.Tokens.Forget(v.UserID)
		return nil
	})
}

// Erase deletes an account with all that belongs to it. It does nothing for an account that
// does not exist.
func (s *Service) Erase(ctx context.Context, id messaging.UserID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		facts, err := s.Store.Facts(ctx, messaging.Wanted{Users: []messaging.UserID{id}, Versions: []messaging.UserID{id}})
		if err != nil {
			return err
		}
		u := facts.Users[id]
		if u == nil {
			return nil
		}
		now := s.next(u)
		ended := messaging.AccountEnded{User: id, At: now, Hard: true, Erased: true}
		if !u.Exists() { // deleted before, but kept
			return s.Store.Forget(ctx, id, a.Emit(ended)...)
		}
		records := a.Emit(messaging.Locked{User: id}, ended)
		return s.Store.Delete(ctx, u, facts.Versions[id], now, records...)
	})
}

// EraseTraces removes an erased user from what others have, a page of rows at a time.
func (s *Service) EraseTraces(ctx context.Context, e messaging.AccountEnded, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.Store.EraseTraces(ctx, e.User, cursor)
}

// next returns the time of a user's next change. It is later than the previous one, so that
// the time distinguishes states.
func (s *Service) next(u *messaging.User) time.Time {
	now := s.Now()
	if after := u.UpdatedAt.Add(time.Millisecond); now.Before(after) {
		return after
	}
	return now
}
