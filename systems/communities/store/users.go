package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// PeopleStore stores users. Changes fail with Conflict if the user has changed since
// it was read.
type PeopleStore struct{ Reader }

// Create stores a new user. It fails with ErrUsernameTaken, ErrUsernameLooks and
// ErrEmailTaken.
func (s *PeopleStore) Create(ctx context.Context, u *communities.User) error {
	tx := s.db.NewTx()
	users.Create(tx, userItemOf(u))
	name := usernames.Create(tx, usernameGuard(u))
	address := emails.Create(tx, emailGuard(u))
	alike := reserveUsername(tx, u.ID, "", u.Username)
	return taken(tx.Run(ctx), nil, name, address, alike)
}

// reserveUsername reserves what a user's new name looks like instead of their previous one.
func reserveUsername(tx *keyspec.Tx, id communities.UserID, before, after string) []keyspec.Action {
	return usernameLooks.reserve(tx, string(id), before, after, func(folded string) keyspec.Action {
		return usernames.Check(tx, usernames.Key(folded)).Absent()
	})
}

// taken returns the error of the guard that refused. user, name and address may be nil. If the
// user has changed as well, what is taken may be the user's own.
func taken(err error, user, name, address keyspec.Action, alike []keyspec.Action) error {
	return stored.Concurrent(
		err, stored.On(refusal.ErrConcurrent, user), stored.On(communities.ErrUsernameTaken, name), stored.On(communities.ErrEmailTaken, address),
		stored.On(communities.ErrUsernameLooks, alike...),
	)
}

// Update stores a user's new profile and role, with the guards of their username and
// address. The user must have the version read.
func (s *PeopleStore) Update(ctx context.Context, before, after *communities.User) error {
	tx := s.db.NewTx()
	u := users.Update(tx, userKey(before.ID)).If("Version = ? AND Deleted = ?", before.Version, false).Set("Version", before.Version+1)
	to := userItemOf(after)
	u.Set("Username", to.Username).Set("Name", to.Name).Set("Email", to.Email).Set("Bio", to.Bio).
		Set("AvatarURL", to.AvatarURL).Set("CoverPhotoURL", to.CoverPhotoURL)
	if before.Location != after.Location {
		u.Set("Location", to.Location).Set("country", to.Country).Set("state", to.State).Set("city", to.City)
	}
	var name, address keyspec.Action
	if old, now := usernameGuard(before), usernameGuard(after); old.Name != now.Name {
		name = usernames.Create(tx, now)
		usernames.Delete(tx, usernames.Key(old.Name)).If("UserId = ?", before.ID)
	}
	if old, now := emailGuard(before), emailGuard(after); old.Name != now.Name {
		address = emails.Create(tx, now)
		emails.Delete(tx, emails.Key(old.Name)).If("UserId = ?", before.ID)
	}
	var alike []keyspec.Action
	if before.Username != after.Username {
		alike = reserveUsername(tx, before.ID, before.Username, after.Username)
	}
	return taken(tx.Run(ctx), u, name, address, alike)
}

// Govern stores a user's role, permissions and ban, as far as they change, and returns the
// user with the effective ones. Administrators by configuration remain so without being
// stored as such. by is the user who changes them, who must be as read, too: two do not ban each
// other.
func (s *PeopleStore) Govern(ctx context.Context, before, after, by *communities.User) (*communities.User, error) {
	tx := s.db.NewTx()
	u := users.Update(tx, userKey(before.ID)).If("Version = ? AND Deleted = ?", before.Version, false).Set("Version", before.Version+1).
		Set("Banned", after.Banned)
	if by.ID != before.ID {
		users.Check(tx, userKey(by.ID)).If("Version = ? AND Deleted = ?", by.Version, false)
	}
	if after.Role != before.Role {
		u.Set("Role", after.Role)
	}
	if !slices.Equal(after.Permissions, before.Permissions) {
		u.Set("Permissions", keyspec.SetOf(after.Permissions))
	}
	if err := tx.Run(ctx); err != nil {
		return nil, stored.Concurrent(err)
	}
	now := *after
	now.Version++
	return s.counting(&now), nil
}

// Revoke revokes a user's tokens, and stores a new password hash unless hash is "".
func (s *PeopleStore) Revoke(ctx context.Context, u *communities.User, hash string) error {
	tx := s.db.NewTx()
	update := users.Update(tx, userKey(u.ID)).If("TokenVersion = ? AND PasswordHash = ? AND Deleted = ?", u.TokenVersion, u.PasswordHash, false).
		Shift("TokenVersion", 1)
	if hash != "" {
		update.Set("PasswordHash", hash)
	}
	return stored.Concurrent(tx.Run(ctx))
}

// Saw stores that a user was active, unless it did so a moment ago.
func (s *PeopleStore) Saw(ctx context.Context, u *communities.User, at time.Time) error {
	tx := s.db.NewTx()
	update := users.Update(tx, userKey(u.ID)).Set("LastSeenAt", at).If("Deleted = ?", false)
	if u.LastSeenAt.IsZero() {
		update.If("attribute_not_exists(LastSeenAt)")
	} else {
		update.If("LastSeenAt = ?", u.LastSeenAt)
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, update) {
		return nil // stored a moment ago, or the user is gone
	}
	return err
}

// Delete deletes a user who founded no community: their data are deleted, and their
// username and address become free. The rest is removed later.
func (s *PeopleStore) Delete(ctx context.Context, u *communities.User, events ...outbox.Record) error {
	gone := communities.User{ID: u.ID, CreatedAt: u.CreatedAt, TokenVersion: u.TokenVersion + 1, Version: u.Version + 1, Deleted: true}
	tx := s.db.NewTx()
	user := users.Put(tx, userItemOf(&gone)).If("Version = ? AND PasswordHash = ? AND Deleted = ?", u.Version, u.PasswordHash, false).
		If("FoundedCount = ?", 0)
	usernames.Delete(tx, usernames.Key(usernameGuard(u).Name)).If("UserId = ?", u.ID)
	emails.Delete(tx, emails.Key(emailGuard(u).Name)).If("UserId = ?", u.ID)
	reserveUsername(tx, u.ID, u.Username, "")
	founds := func(now *userItem) bool { return now.FoundedCount > 0 }
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.OnItem(communities.ErrFounds, users, user, founds))
}

// Forget deletes the row that is kept of a deleted user.
func (s *PeopleStore) Forget(ctx context.Context, id communities.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	users.Delete(tx, userKey(id)).If("Deleted = ?", true)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// All returns users in no particular order.
func (s *PeopleStore) All(ctx context.Context, q page.Query) (page.Page[*communities.User], error) {
	read := func(q page.Query) (page.Page[userItem], error) {
		items, next, err := users.Scan(ctx, s.db, keyspec.Page{Limit: q.First, After: q.After})
		return page.Page[userItem]{Items: items, Next: next}, stored.ListError(err)
	}
	return page.Refill(q, read, func(items []userItem) (living []*communities.User, _ error) {
		for i := range items {
			if u := s.user(&items[i]); u.Lives() {
				living = append(living, u)
			}
		}
		return living, nil
	})
}

// InCity returns the users of a city, whose names are folded.
func (s *PeopleStore) InCity(ctx context.Context, l communities.Location, q page.Query) (page.Page[communities.UserID], error) {
	return stored.List(ctx, s.db, users.Begins(UsersByLocation, l.Country, l.State, l.City), q, false,
		func(i *userItem) communities.UserID { return i.ID })
}
