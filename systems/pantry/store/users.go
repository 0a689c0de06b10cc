package store

import (
	"context"
	"time"

	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Users stores users and their memberships.
type Users struct{ Reader }

// Create stores a user with a first group and a container in it, all or nothing.
func (s *Users) Create(ctx context.Context, u *pantry.User, g *pantry.Group, c *pantry.Container) error {
	address, ok := pantry.FoldEmail(u.Email)
	if !ok {
		return pantry.ErrNoEmail
	}
	tx := s.db.NewTx()
	user := users.Create(tx, *u)
	guard := emails.Create(tx, emailItem{Address: address, UserID: u.ID})
	groups.Create(tx, *g)
	memberships.Create(tx, membershipItem{UserID: u.ID, GroupID: g.ID, JoinedAt: u.CreatedAt})
	containers.Create(tx, containerItemOf(c))
	containerLinks.Create(tx, containerLinkOf(c))
	return stored.Outcome(tx.Run(ctx), stored.On(pantry.ErrRegistered, user), stored.On(pantry.ErrEmailTaken, guard))
}

// Rename changes the name of a user, which must be as read.
func (s *Users) Rename(ctx context.Context, u *pantry.User, name string, at time.Time) error {
	tx := s.db.NewTx()
	users.Update(tx, userKey(u.ID)).Set("UserName", name).Set("UpdatedAt", at).Shift("Version", 1).
		If("Version = ?", u.Version)
	return stored.Outcome(tx.Run(ctx))
}

// Delete deletes a user and frees the address. The groups remain to be left.
func (s *Users) Delete(ctx context.Context, u *pantry.User, events ...outbox.Record) error {
	tx := s.db.NewTx()
	users.Delete(tx, userKey(u.ID)).Exists()
	if address, ok := pantry.FoldEmail(u.Email); ok {
		emails.Delete(tx, emails.Key(address)).If("UserId = ?", u.ID)
	}
	return stored.Outcome(ops.Commit(ctx, tx, events...))
}

// Holder returns the user with an e-mail address, or "".
func (s *Users) Holder(ctx context.Context, email string) (pantry.UserID, error) {
	address, ok := pantry.FoldEmail(email)
	if !ok {
		return "", nil
	}
	item, err := emails.Get(ctx, s.db, emails.Key(address))
	if item == nil || err != nil {
		return "", err
	}
	return item.UserID, nil
}

// Self reads everything stored in a user's own partition: the record and the groups they
// are in.
func (s *Users) Self(ctx context.Context, id pantry.UserID) (self pantry.Self, err error) {
	err = s.db.Partition(ctx, string(id),
		users.Each(func(i pantry.User) { self.User = &i }),
		memberships.Each(func(i membershipItem) { self.GroupIDs = append(self.GroupIDs, i.GroupID) }))
	return self, err
}
