// Package account manages users: registration, profiles, sessions, roles and permissions.
//
// What a user may do is read with each request, so that a ban or a new role is effective at
// once. Only revoked tokens may be accepted for some seconds by other processes.
package account

import (
	"context"
	"math"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores users. Changes fail with ErrConcurrent if the user has changed since it was
// read.
type Store interface {
	communities.Reader
	// Create and Update fail with ErrUsernameTaken and ErrEmailTaken.
	Create(ctx context.Context, u *communities.User) error
	Update(ctx context.Context, before, after *communities.User) error
	// Govern stores the role, permissions and ban, and returns the user with the effective
	// ones.
	Govern(ctx context.Context, before, after *communities.User) (*communities.User, error)
	// Revoke revokes the user's tokens, and stores a new password hash unless hash is "".
	Revoke(ctx context.Context, u *communities.User, hash string) error
	Saw(ctx context.Context, u *communities.User, at time.Time) error
	// Delete fails with ErrFounds.
	Delete(ctx context.Context, u *communities.User, events ...outbox.Record) error
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

// Passwords hashes and verifies passwords, which takes time.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	// Matches returns false for an empty hash, and takes as long as for others.
	Matches(ctx context.Context, hash, password string) (bool, error)
}

// Attempts counts what strangers try, and refuses what is too much.
type Attempts interface {
	// SignIn counts an attempt as a failure until succeeded is called.
	SignIn(account, address string) (succeeded func(), err error)
	SignUp(address string) error
}

// Service implements the account area. Its fields are set once.
type Service struct {
	Store     Store
	Tokens    Tokens
	Passwords Passwords
	Attempts  Attempts
	// Events also provides the clock and ids.
	Events outbox.Sender
}

func (s *Service) now() time.Time { return s.Events.Now().Truncate(time.Millisecond) }

// Register makes a user and signs them in.
func (s *Service) Register(ctx context.Context, v viewer.Viewer, r communities.Registration) (*communities.SignedIn, error) {
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
	id := communities.UserID(s.Events.NewID())
	return retry.OnConflict(func() (*communities.SignedIn, error) {
		if err := s.free(ctx, "", r.Username, r.Email); err != nil {
			return nil, err
		}
		now := s.now()
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

// free refuses a username or address that another user has.
func (s *Service) free(ctx context.Context, id communities.UserID, username, email string) error {
	name, address := communities.Fold(username), communities.Fold(email)
	facts, err := s.Store.Facts(ctx, communities.Wanted{Usernames: []string{name}, Emails: []string{address}})
	if err != nil {
		return err
	}
	if owner, taken := facts.Usernames[name]; taken && owner != id {
		return communities.ErrUsernameTaken
	}
	if owner, taken := facts.Emails[address]; taken && owner != id {
		return communities.ErrEmailTaken
	}
	return nil
}

// begin signs in an authenticated user.
func (s *Service) begin(ctx context.Context, id communities.UserID) (*communities.SignedIn, error) {
	u, err := s.user(ctx, id)
	if err != nil {
		return nil, err
	}
	if !u.Lives() || u.Banned {
		return nil, communities.ErrCredentials
	}
	session, err := s.Tokens.Begin(ctx, id, u.TokenVersion)
	if err != nil {
		return nil, err
	}
	return session.Of(u, s.now()), nil
}

func (s *Service) user(ctx context.Context, id communities.UserID) (*communities.User, error) {
	facts, err := s.Store.Facts(ctx, communities.Wanted{Users: []communities.UserID{id}})
	if err != nil {
		return nil, err
	}
	return facts.Users[id], nil
}

// nobody is an id without a user. Reading it takes as long as reading any user.
const nobody = "nobody"

// Login signs a user in by username or address. Whatever is wrong, the answer is the same
// and takes as long.
func (s *Service) Login(ctx context.Context, v viewer.Viewer, login, password string) (*communities.SignedIn, error) {
	folded := communities.Sought(login)
	succeeded, err := s.Attempts.SignIn(folded, v.Address)
	if err != nil {
		return nil, err
	}
	facts, err := s.Store.Facts(ctx, communities.Wanted{Usernames: []string{folded}, Emails: []string{folded}})
	if err != nil {
		return nil, err
	}
	id, found := facts.Usernames[folded]
	if !found {
		id, found = facts.Emails[folded]
	}
	if !found {
		id = nobody
	}
	u, err := s.user(ctx, id)
	if err != nil {
		return nil, err
	}
	hash := ""
	if u.Lives() && !u.Banned {
		hash = u.PasswordHash
	}
	switch ok, err := s.Passwords.Matches(ctx, hash, password); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, communities.ErrCredentials
	}
	succeeded()
	return s.begin(ctx, id)
}

// Refresh exchanges a refresh token for new tokens.
func (s *Service) Refresh(ctx context.Context, token string) (*communities.SignedIn, error) {
	var u *communities.User
	session, err := s.Tokens.Continue(ctx, token, func(ctx context.Context, id communities.UserID) (version int, ok bool, err error) {
		if u, err = s.user(ctx, id); err != nil || !u.Lives() || u.Banned {
			return 0, false, err
		}
		return u.TokenVersion, true, nil
	})
	if err != nil {
		return nil, err
	}
	return session.Of(u, s.now()), nil
}

// TokenVersion returns the lowest version of a user's tokens that are valid. All tokens of
// a deleted user are revoked. It also records the user's activity: results are cached only
// for a moment, so it is called for nearly every request.
func (s *Service) TokenVersion(ctx context.Context, id viewer.UserID) (int, error) {
	u, err := s.user(ctx, id)
	if err != nil {
		return 0, err
	}
	if !u.Lives() {
		return math.MaxInt, nil
	}
	return u.TokenVersion, s.saw(ctx, u)
}

func (s *Service) saw(ctx context.Context, u *communities.User) error {
	now := s.now()
	if now.Sub(u.LastSeenAt) < communities.SeenEvery {
		return nil
	}
	return s.Store.Saw(ctx, u, now)
}

// Heartbeat records the viewer's activity.
func (s *Service) Heartbeat(ctx context.Context, v viewer.Viewer) (time.Time, error) {
	_, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{})
	if err != nil {
		return time.Time{}, err
	}
	return s.now(), s.saw(ctx, self.User)
}

// Revoke revokes all tokens of the viewer.
func (s *Service) Revoke(ctx context.Context, v viewer.Viewer) error {
	err := retry.Run(func() error {
		_, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{})
		if err != nil {
			return err
		}
		return s.Store.Revoke(ctx, self.User, "")
	})
	s.Tokens.Forget(v.UserID)
	return err
}

// proven reads the viewer and verifies their password.
func (s *Service) proven(ctx context.Context, v viewer.Viewer, password string) (*communities.User, error) {
	_, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{})
	if err != nil {
		return nil, err
	}
	succeeded, err := s.Attempts.SignIn(string(self.ID), v.Address)
	if err != nil {
		return nil, err
	}
	switch ok, err := s.Passwords.Matches(ctx, self.PasswordHash, password); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, communities.ErrPassword
	}
	succeeded()
	return self.User, nil
}

// ChangePassword changes the viewer's password and revokes all their tokens.
func (s *Service) ChangePassword(ctx context.Context, v viewer.Viewer, current, new_ string) error {
	err := retry.Run(func() error {
		u, err := s.proven(ctx, v, current)
		if err != nil {
			return err
		}
		if err := communities.CheckPassword(new_); err != nil {
			return err
		}
		hash, err := s.Passwords.Hash(ctx, new_)
		if err != nil {
			return err
		}
		return s.Store.Revoke(ctx, u, hash)
	})
	s.Tokens.Forget(v.UserID)
	return err
}

// Delete deletes the viewer, who must not be the founder of a community. What belongs to
// them is removed when the event is received.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, password string) error {
	return retry.Run(func() error {
		u, err := s.proven(ctx, v, password)
		if err != nil {
			return err
		}
		if u.FoundedCount > 0 {
			return communities.ErrFounds
		}
		records := s.Events.New(ctx, communities.UserDeleted{UserID: u.ID, At: s.now()})
		if err := s.Store.Delete(ctx, u, records...); err != nil {
			return err
		}
		s.Tokens.Forget(v.UserID)
		s.Events.Committed(ctx, records...)
		return nil
	})
}
