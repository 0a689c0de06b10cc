package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Groups stores groups and their members.
type Groups struct{ Reader }

// UserIDs returns the members of a group ordered by id, from UserAndGroupRelation.
func (s *Groups) UserIDs(ctx context.Context, id pantry.GroupID, q page.Query) (page.Page[pantry.UserID], error) {
	return stored.List(ctx, s.db, memberships.Begins(UserAndGroupRelation, string(id)), q, false, func(i *membershipItem) pantry.UserID { return i.UserID })
}

// Create stores a group with one member.
func (s *Groups) Create(ctx context.Context, g *pantry.Group) error {
	founder := g.UserIDs[0]
	tx := s.db.NewTx()
	groups.Create(tx, *g)
	_, user := enter(tx, g.ID, founder, g.CreatedAt)
	return stored.Outcome(tx.Run(ctx), noMoreGroups(user))
}

// enter adds a membership of a user, unless they have the maximum number.
func enter(tx *keyspec.Tx, group pantry.GroupID, id pantry.UserID, at time.Time) (member keyspec.Write, user keyspec.Update) {
	m := membershipItem{UserID: id, GroupID: group, JoinedAt: at}
	membershipCounts.Moved(tx, nil, &m)
	return memberships.Create(tx, m), users.Update(tx, userKey(id)).If("GroupCount < ?", pantry.MaxGroups)
}

// exit removes a membership. If the user is gone, there is no counter to update.
func exit(tx *keyspec.Tx, group pantry.GroupID, id pantry.UserID, gone bool) keyspec.Write {
	if !gone {
		membershipCounts.Moved(tx, &membershipItem{UserID: id, GroupID: group}, nil)
	}
	return memberships.Delete(tx, membershipKey(id, group)).Exists()
}

// noMoreGroups is the reason if enter was refused because of the user.
func noMoreGroups(user keyspec.Action) stored.Reason {
	return stored.ByItem(users, user, func(now *pantry.User) error {
		if now == nil {
			return pantry.ErrNotRegistered
		}
		return pantry.ErrTooManyGroups
	})
}

// memberOf requires that a user is in a group.
func memberOf(tx *keyspec.Tx, group pantry.GroupID, member pantry.UserID) keyspec.Write {
	return groups.Check(tx, groupKey(group)).If("contains(BelongingUsers, ?)", string(member))
}

// notMember is the reason if memberOf, or an action with its condition, was refused to others
// than members.
func notMember(group keyspec.Action, member pantry.UserID) stored.Reason {
	return stored.ByItem(groups, group, func(now *pantry.Group) error { return now.Admit(member) })
}

// Rename changes the name of a group, which must be as read.
func (s *Groups) Rename(ctx context.Context, g *pantry.Group, name string, by pantry.UserID, at time.Time) error {
	tx := s.db.NewTx()
	group := groups.Update(tx, groupKey(g.ID)).Set("GroupName", name).Set("UpdatedAt", at).Shift("Version", 1).
		If("Version = ? AND contains(BelongingUsers, ?)", g.Version, string(by))
	return stored.Outcome(tx.Run(ctx), notMember(group, by))
}

// Delete deletes a group with its join link, nil if it has none. The members and the link
// must be as read, and gone, if not "", must still be deleted. Memberships and containers remain
// to be removed.
func (s *Groups) Delete(ctx context.Context, g *pantry.Group, l *pantry.JoinLink, gone pantry.UserID, events ...outbox.Record) error {
	tx := s.db.NewTx()
	w := groups.Delete(tx, groupKey(g.ID)).If("BelongingUsers = ?", keyspec.SetOf(g.UserIDs))
	if g.CurrentLink == "" {
		w.If("attribute_not_exists(CurrentJoinLink)")
	} else {
		w.If("CurrentJoinLink = ?", g.CurrentLink)
	}
	if l != nil {
		removeLink(tx, l)
	}
	if gone != "" {
		users.Check(tx, userKey(gone)).Absent()
	}
	return stored.Outcome(ops.Commit(ctx, tx, events...))
}

// Leave removes a member, who must not be the last, from a group, for a member. If the user is
// gone, there is no counter of groups to update.
func (s *Groups) Leave(ctx context.Context, id pantry.GroupID, leaving, by pantry.UserID, gone bool, events ...outbox.Record) error {
	tx := s.db.NewTx()
	member := exit(tx, id, leaving, gone)
	group := groups.Update(tx, groupKey(id)).Exclude("BelongingUsers", string(leaving)).
		If("contains(BelongingUsers, ?) AND size(BelongingUsers) > ?", string(leaving), 1)
	if by != leaving { // two members do not remove each other
		group.If("contains(BelongingUsers, ?)", string(by))
	}
	if gone {
		users.Check(tx, userKey(leaving)).Absent()
	}
	stays := stored.ByItem(groups, group, func(now *pantry.Group) error {
		switch err := now.Admit(by); {
		case err != nil:
			return err
		case now.Has(leaving):
			return pantry.ErrLastMember
		}
		return pantry.ErrNotAMember
	})
	return stored.Outcome(ops.Commit(ctx, tx, events...), stays, stored.On(pantry.ErrNotAMember, member))
}

// Forget deletes memberships of users in a deleted group. They may be deleted already.
func (s *Groups) Forget(ctx context.Context, id pantry.GroupID, members []pantry.UserID) error {
	b := s.db.NewBatch()
	there := memberships.FetchEach(b, len(members), func(i int) keyspec.Key { return membershipKey(members[i], id) })
	known := users.FetchEach(b, len(members), func(i int) keyspec.Key { return userKey(members[i]) })
	if err := b.Run(ctx); err != nil {
		return err
	}
	tx := s.db.NewTx()
	for i, member := range members {
		if there.At(i) != nil {
			exit(tx, id, member, known.At(i) == nil)
		}
	}
	return stored.Outcome(tx.Run(ctx))
}
