package store

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Users stores users.
type Users struct{ Reader }

// ID returns the user of an identity, or 0 if there is none.
func (s *Users) ID(ctx context.Context, identity string) (archive.ID, error) {
	item, err := userKeys.Get(ctx, s.db, userKeys.Key(identity))
	if item == nil || err != nil {
		return 0, err
	}
	return item.UserID, nil
}

// All returns users ordered by identity, from gsi_sk_altSort.
func (s *Users) All(ctx context.Context, q page.Query) (page.Page[*archive.User], error) {
	return list(ctx, s.db, users.Begins(BySort), q, (*userItem).user)
}

// Create stores a new user. It fails with refusal.ErrTaken if the identity has one.
func (s *Users) Create(ctx context.Context, u *archive.User) error {
	item := userItemOf(u)
	tx := s.db.NewTx()
	key := userKeys.Create(tx, userKeyItem{item.Identity, u.ID})
	users.Create(tx, item)
	return stored.Outcome(tx.Run(ctx), stored.On(refusal.ErrTaken, key))
}

// Erase deletes a user with their identity. It fails with a Conflict if the user has changed
// since it was read.
func (s *Users) Erase(ctx context.Context, u *archive.User) error {
	item := userItemOf(u)
	tx := s.db.NewTx()
	users.Delete(tx, userKey(u.ID)).If(asRead, u.LastUpdateTime)
	userKeys.Delete(tx, userKeys.Key(item.Identity))
	return stored.Outcome(tx.Run(ctx))
}

// Change stores a changed user, who must be as read. beside is another user who must remain
// an enabled administrator, or 0.
func (s *Users) Change(ctx context.Context, before, after *archive.User, beside archive.ID) error {
	tx := s.db.NewTx()
	users.Change(tx, userItemOf(before), userItemOf(after)).If(asRead, before.LastUpdateTime)
	if beside != 0 {
		users.Check(tx, userKey(beside)).If("enabled = ? AND level = ?", true, archive.Admin.Number())
	}
	return stored.Outcome(tx.Run(ctx))
}
