// Package account manages users: registration, profiles, sessions, roles and permissions.
//
// What a user may do is read with each request, so that a ban or a new role is effective at
// once. Only revoked tokens may be accepted for some seconds by other processes.
package account

import (
	"context"
	"log/slog"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores users. Changes fail with Conflict if the user has changed since it was
// read.
type Store interface {
	communities.Reader
	// Create and Update fail with ErrUsernameTaken, ErrUsernameLooks and ErrEmailTaken.
	Create(ctx context.Context, u *communities.User) error
	Update(ctx context.Context, before, after *communities.User) error
	// Govern stores the role, permissions and ban, and returns the user with the effective
	// ones.
	Govern(ctx context.Context, before, after, by *communities.User) (*communities.User, error)
	// Revoke revokes the user's tokens, and stores a new password hash unless hash is "".
	Revoke(ctx context.Context, u *communities.User, hash string) error
	Saw(ctx context.Context, u *communities.User, at time.Time) error
	// Delete fails with ErrFounds.
	Delete(ctx context.Context, u *communities.User, events ...outbox.Record) error
	// Forget deletes the row that is kept of a deleted user.
	Forget(ctx context.Context, id communities.UserID, events ...outbox.Record) error
	// EraseTraces removes a former user from a page of what others have.
	EraseTraces(ctx context.Context, id communities.UserID, cursor string) (next string, rows int, err error)
	All(ctx context.Context, q page.Query) (page.Page[*communities.User], error)
}

// Tokens issues tokens to users.
type Tokens interface {
	Begin(ctx context.Context, id communities.UserID, version int) (communities.Session, error)
	// Continue exchanges a refresh token for new tokens. vouch reports whether a user
	// exists, and the version that their tokens must have.
	Continue(ctx context.Context, token string, vouch func(context.Context, communities.UserID) (int, bool, error)) (communities.Session, error)
	// Forget makes this process refuse revoked tokens at once.
	Forget(id communities.UserID)
}

// Passwords hashes and verifies passwords, which is slow on purpose.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	// Matches returns false for an empty hash, and takes as long as for others.
	Matches(ctx context.Context, hash, password string) (bool, error)
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
	Log       *slog.Logger
}

// SignUp makes a user and signs them in.
func (s *Service) SignUp(ctx context.Context, v viewer.Viewer, r communities.Registration) (*communities.SignedIn, error) {
	if err := s.Attempts.SignUp(v.Address); err != nil {
		return nil, err
	}
	err := input.First(
		communities.CheckUsername(r.Username), communities.CheckName(r.Name), communities.CheckEmail(r.Email),
		communities.CheckPassword(r.Password), r.Location.Check(), communities.CheckBio(r.Bio))
	if err != nil {
		return nil, err
	}
	hash, err := s.Passwords.Hash(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	id := communities.UserID(s.NewID())
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SignedIn, error) {
		if err := s.free(ctx, "", r.Username, r.Email); err != nil {
			return nil, err
		}
		now := s.Now()
		u := &communities.User{
			ID: id, Username: trim(r.Username), Name: trim(r.Name), PasswordHash: hash, Email: r.Email, Bio: r.Bio,
			Location: r.Location.Trimmed(), CreatedAt: now, LastSeenAt: now, Role: communities.Regular,
			Permissions: communities.Regular.Permissions(), Version: 1,
		}
		if err := s.Store.Create(ctx, u); err != nil {
			return nil, err
		}
		return s.begin(ctx, u.ID)
	})
}

// free refuses a username that another user has or that looks like theirs, and an address
// that another user has.
func (s *Service) free(ctx context.Context, id communities.UserID, username, email string) error {
	name, address := communities.Fold(username), communities.Fold(email)
	looks := communities.Looks(username)
	facts, err := s.Store.Facts(ctx, communities.Wanted{
		Usernames: append(looks, name), Emails: []string{address}, UsernameLooks: append(looks, name),
	})
	if err != nil {
		return err
	}
	if owner, taken := facts.Usernames[name]; taken && owner != id {
		return communities.ErrUsernameTaken
	}
	for _, look := range append(looks, name) {
		owner, taken := facts.Usernames[look]
		other, looksSo := facts.UsernameLooks[look]
		if taken && owner != id || looksSo && other != id {
			return communities.ErrUsernameLooks
		}
	}
	if owner, taken := facts.Emails[address]; taken && owner != id {
		return communities.ErrEmailTaken
	}
	return nil
}

func (s *Service) user(ctx context.Context, id communities.UserID) (*communities.User, error) {
	facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{id}})
	return facts.Users[id], err
}

// Erase deletes a user, who must not be the founder of a community, and the row that their own
// deletion keeps. What else there is of them is removed when the event is received.
func (s *Service) Erase(ctx context.Context, id communities.UserID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		u, err := s.user(ctx, id)
		if u == nil || err != nil {
			return err
		}
		if u.Lives() {
			if err := s.Store.Delete(ctx, u); err != nil {
				return err
			}
		}
		return s.Store.Forget(ctx, id, a.Emit(communities.UserDeleted{UserID: id, At: s.Now(), Erased: true})...)
	})
}

// EraseTraces removes an erased user from what others have, a page of rows at a time.
func (s *Service) EraseTraces(ctx context.Context, e communities.UserDeleted, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	return s.Store.EraseTraces(ctx, e.UserID, cursor)
}

// Delete deletes the viewer, who must not be the founder of a community. What belongs to
// them is removed when the event is received.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, password string) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		u, err := s.proven(ctx, v, password)
		if err != nil {
			return err
		}
		if u.FoundedCount > 0 {
			return communities.ErrFounds
		}
		if err := s.Store.Delete(ctx, u, a.Emit(communities.UserDeleted{UserID: u.ID, At: s.Now()})...); err != nil {
			return err
		}
		s.Tokens.Forget(v.UserID)
		return nil
	})
}
