package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/systems/pantry"
)

// Links stores join links: the link itself, and its code, which refers to it.
type Links struct{ Reader }

// OfGroup returns the links of a group that expire at or after from, ordered by expiry,
// from JoinLink.
func (s *Links) OfGroup(ctx context.Context, id pantry.GroupID, from time.Time, q page.Query) (page.Page[*pantry.JoinLink], error) {
	r := joinLinks.Begins(JoinLink, string(id))
	if !from.IsZero() {
		r = r.From(stamp.MilliOf(from))
	}
	return stored.List(ctx, s.db, r, q, false, (*joinLinkItem).link)
}

// Expired returns the links that expired before the given time, oldest expiry first, from
// ExpiredJoinLink.
func (s *Links) Expired(ctx context.Context, before time.Time, q page.Query) (page.Page[*pantry.JoinLink], error) {
	r := joinLinks.Begins(ExpiredJoinLink, linkKind).To(stamp.MilliOf(before.Add(-time.Millisecond)))
	return stored.List(ctx, s.db, r, q, false, (*joinLinkItem).link)
}

// Replace makes l the link of a group, which must be as read, and of g, replacing old, nil
// if there is none.
func (s *Links) Replace(ctx context.Context, g *pantry.Group, old, l *pantry.JoinLink) error {
	tx := s.db.NewTx()
	group := groups.Update(tx, groupKey(g.ID)).Set("CurrentJoinLink", refOf(l).Key).If("contains(BelongingUsers, ?)", string(l.CreatedBy))
	if g.CurrentLink == "" {
		group.If("attribute_not_exists(CurrentJoinLink)")
	} else {
		group.If("CurrentJoinLink = ?", g.CurrentLink)
	}
	if old != nil {
		removeLink(tx, old)
	}
	joinLinks.Create(tx, joinLinkItemOf(l))
	linkCodes.Create(tx, linkCodeItemOf(l))
	if err := stored.Outcome(tx.Run(ctx), notMember(group, l.CreatedBy)); err != nil {
		return err
	}
	g.CurrentLink = refOf(l).Key
	return nil
}

// Prolong extends a link that is live at the given time.
func (s *Links) Prolong(ctx context.Context, from, to *pantry.JoinLink, by pantry.UserID, now time.Time) error {
	tx := s.db.NewTx()
	joinLinks.Change(tx, joinLinkItemOf(from), joinLinkItemOf(to)).If("LinkExpiredDatetime >= ?", now)
	linkCodes.Update(tx, linkCodeKey(from.Code)).Set("ExpiresAt", expiryOf(to))
	group := memberOf(tx, from.GroupID, by)
	return stored.Outcome(tx.Run(ctx), notMember(group, by))
}

// Revoke deletes a link of a group.
func (s *Links) Revoke(ctx context.Context, l *pantry.JoinLink, by pantry.UserID) error {
	tx := s.db.NewTx()
	removeLink(tx, l).Exists()
	group := groups.Update(tx, groupKey(l.GroupID)).Remove("CurrentJoinLink").
		If("CurrentJoinLink = ? AND contains(BelongingUsers, ?)", refOf(l).Key, string(by))
	return stored.Outcome(tx.Run(ctx), notMember(group, by))
}

// Purge deletes a link unless it was extended since it was read, and reports whether it
// existed. Its group may continue to name it.
func (s *Links) Purge(ctx context.Context, l *pantry.JoinLink) (bool, error) {
	tx := s.db.NewTx()
	link := removeLink(tx, l).If("LinkExpiredDatetime = ?", l.ExpiresAt)
	err := tx.Run(ctx)
	if keyspec.Refused(err, link) {
		return false, nil
	}
	return err == nil, stored.Outcome(err)
}

func removeLink(tx *keyspec.Tx, l *pantry.JoinLink) keyspec.Write {
	linkCodes.Delete(tx, linkCodeKey(l.Code))
	return joinLinks.Delete(tx, joinLinkKey(refOf(l)))
}

// Join makes a user a member of the link's group. joined is false if they are a member
// already.
func (s *Links) Join(ctx context.Context, l *pantry.JoinLink, by pantry.UserID, now time.Time) (joined bool, err error) {
	tx := s.db.NewTx()
	code := linkCodes.Check(tx, linkCodeKey(l.Code)).If("GroupRef = ? AND LinkSK = ?", l.GroupID, refOf(l).Key)
	link := joinLinks.Check(tx, joinLinkKey(refOf(l))).If("LinkExpiredDatetime >= ?", now)
	member, user := enter(tx, l.GroupID, by, now)
	group := groups.Update(tx, groupKey(l.GroupID)).Include("BelongingUsers", string(by)).If("size(BelongingUsers) < ?", pantry.MaxMembers)
	err = tx.Run(ctx)
	if !stored.IsConflict(err) {
		return err == nil, err
	}
	present, readErr := joinLinks.Stored(err, link)
	if readErr != nil {
		return false, readErr
	}
	full, readErr := groups.Stored(err, group)
	if readErr != nil {
		return false, readErr
	}
	switch {
	case keyspec.Refused(err, code), keyspec.Refused(err, link) && present == nil, keyspec.Refused(err, group) && full == nil:
		return false, pantry.ErrLinkUnknown
	case keyspec.Refused(err, link):
		return false, pantry.ErrLinkExpired
	case keyspec.Refused(err, member):
		return false, nil
	case keyspec.Refused(err, group):
		return false, pantry.ErrGroupFull
	case keyspec.Refused(err, user):
		return false, noMoreGroups(user)(err)
	}
	return false, stored.Outcome(err)
}
