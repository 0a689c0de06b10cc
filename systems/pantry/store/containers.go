package store

import (
	"context"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Containers stores containers and the foods in them. Changes require that the user is in
// the group the container was read from, and that it is still there.
type Containers struct{ Reader }

// IDs returns the containers of a group ordered by id.
func (s *Containers) IDs(ctx context.Context, group pantry.GroupID, q page.Query) (page.Page[pantry.ContainerID], error) {
	return stored.List(
		ctx,
		s.db,
		containerLinks.Begins(keyspec.Primary, string(group)),
		q,
		false,
		func(i *containerLinkItem) pantry.ContainerID { return i.ContainerID },
	)
}

// Create stores a container in its group.
func (s *Containers) Create(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	containers.Create(tx, containerItemOf(c))
	group := link(tx, c, by)
	return stored.Outcome(ops.Commit(ctx, tx, events...), noMoreContainers(group, by))
}

// link adds a container to its group, unless the group is full.
func link(tx *keyspec.Tx, c *pantry.Container, by pantry.UserID) keyspec.Update {
	l := containerLinkOf(c)
	containerLinks.Create(tx, l)
	containerCounts.Moved(tx, nil, &l)
	return groups.Update(tx, groupKey(c.GroupID)).
		If("contains(BelongingUsers, ?) AND ContainerCount < ?", string(by), pantry.MaxContainers)
}

// unlink removes a container from its group.
func unlink(tx *keyspec.Tx, c *pantry.Container, by pantry.UserID) keyspec.Update {
	l := containerLinkOf(c)
	containerLinks.Delete(tx, containerLinks.KeyOf(&l)).Exists()
	containerCounts.Moved(tx, &l, nil)
	return groups.Update(tx, groupKey(c.GroupID)).If("contains(BelongingUsers, ?)", string(by))
}

// noMoreContainers is the reason if link was refused.
func noMoreContainers(group keyspec.Action, by pantry.UserID) stored.Reason {
	return stored.ByItem(groups, group, func(now *pantry.Group) error { return input.First(now.Admit(by), pantry.ErrTooManyContainers) })
}

// Rename changes the container's name, here and in its group's link. The container must be
// as read.
func (s *Containers) Rename(ctx context.Context, c *pantry.Container, name string, by pantry.UserID, at time.Time, events ...outbox.Record) error {
	tx := s.db.NewTx()
	containers.Update(tx, containerKey(c.ID)).Set("ContainerName", name).Set("UpdatedAt", at).Shift("Version", 1).
		If("Version = ? AND OwnerGroup = ?", c.Version, c.GroupID)
	containerLinks.Update(tx, containerLinkKey(c.GroupID, c.ID)).Set("ContainerName", name)
	group := memberOf(tx, c.GroupID, by)
	return stored.Outcome(ops.Commit(ctx, tx, events...), notMember(group, by))
}

// Move moves a container to another group. It must be as read, as its name is copied.
func (s *Containers) Move(ctx context.Context, c *pantry.Container, to pantry.GroupID, by pantry.UserID, at time.Time, events ...outbox.Record) error {
	moved := *c
	moved.GroupID = to
	tx := s.db.NewTx()
	containers.Update(tx, containerKey(c.ID)).Set("OwnerGroup", to).Set("UpdatedAt", at).Shift("Version", 1).
		If("Version = ? AND OwnerGroup = ?", c.Version, c.GroupID)
	from, target := unlink(tx, c, by), link(tx, &moved, by)
	return stored.Outcome(ops.Commit(ctx, tx, events...), notMember(from, by), noMoreContainers(target, by))
}

// Delete deletes a container with its foods.
func (s *Containers) Delete(ctx context.Context, c *pantry.Container, by pantry.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	containers.Delete(tx, containerKey(c.ID)).If("OwnerGroup = ?", c.GroupID)
	group := unlink(tx, c, by)
	return stored.Outcome(ops.Commit(ctx, tx, events...), notMember(group, by))
}

// Forget deletes containers of a deleted group, and then their links, by which the
// remaining ones are found. They may be deleted already.
func (s *Containers) Forget(ctx context.Context, group pantry.GroupID, ids []pantry.ContainerID) error {
	b := s.db.NewBulk()
	for _, id := range ids {
		containers.DeleteIn(b, containerKey(id))
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	b = s.db.NewBulk()
	for _, id := range ids {
		containerLinks.DeleteIn(b, containerLinkKey(group, id))
	}
	return b.Run(ctx)
}
