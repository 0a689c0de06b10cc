package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// CommunityStore stores communities and their members. Changes fail with Conflict if
// something has changed since it was read.
type CommunityStore struct{ Reader }

// alive requires that a user exists and is not banned.
func alive(tx *keyspec.Tx, id communities.UserID) keyspec.Write {
	return users.Check(tx, userKey(id)).If("Banned = ? AND Deleted = ?", false, false)
}

// reserveName reserves what the new name of a community looks like instead of its previous
// one.
func reserveName(tx *keyspec.Tx, id communities.CommunityID, before, after string) []keyspec.Action {
	return communityLooks.reserve(tx, string(id), before, after, func(folded string) keyspec.Action {
		return communityNames.Check(tx, communityNames.Key(folded, folded)).Absent()
	})
}

// Create stores a community with its founder as a member. It fails with ErrNameTaken and
// ErrNameLooks.
func (s *CommunityStore) Create(ctx context.Context, c *communities.Community, events ...outbox.Record) error {
	item, member := communityItemOf(c), communityMemberItemOf(c.Founded())
	tx := s.db.NewTx()
	name := communityNames.Create(tx, communityNameItem{"CommunityName", communities.Fold(c.Name), c.ID})
	alike := reserveName(tx, c.ID, "", c.Name)
	communityRow.Create(tx, item) // already counts its first member
	communityMembers.Create(tx, member)
	alive(tx, c.FounderID)
	foundedCounts.Moved(tx, nil, &item)
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.On(communities.ErrNameTaken, name), stored.On(communities.ErrNameLooks, alike...))
}

// Update stores the details of a community, which must have the version read.
func (s *CommunityStore) Update(ctx context.Context, before, after *communities.Community) error {
	to := communityItemOf(after)
	tx := s.db.NewTx()
	u := communityRow.Update(tx, communityKey(before.ID)).If("Version = ?", before.Version).Set("Version", before.Version+1).
		Set("Name", to.Name).Set("Description", to.Description).Set("AvatarURL", to.AvatarURL).Set("CoverPhotoURL", to.CoverPhotoURL)
	if before.Topic != after.Topic {
		u.Set("Topic", to.Topic)
	}
	if before.Location != after.Location {
		u.Set("Location", to.Location).Set("country", to.Country).Set("state", to.State).Set("city", to.City)
	}
	var name keyspec.Action
	if communities.Fold(before.Name) != communities.Fold(after.Name) {
		name = communityNames.Create(tx, communityNameItem{"CommunityName", communities.Fold(after.Name), after.ID})
		communityNames.Delete(tx, communityNameKey(before.Name)).If("CommunityId = ?", before.ID)
	}
	var alike []keyspec.Action
	if before.Name != after.Name {
		alike = reserveName(tx, before.ID, before.Name, after.Name)
	}
	// If the community has changed, the name may be taken by this very change.
	return stored.Concurrent(
		tx.Run(ctx), stored.On(refusal.ErrConcurrent, u), stored.On(communities.ErrNameTaken, name), stored.On(communities.ErrNameLooks, alike...),
	)
}

// Transfer makes another member the founder.
func (s *CommunityStore) Transfer(ctx context.Context, c *communities.Community, to communities.UserID) error {
	from, after := communityItemOf(c), communityItemOf(c)
	after.FounderID = to
	tx := s.db.NewTx()
	communityRow.Update(tx, communityKey(c.ID)).If("Version = ? AND Founder = ?", c.Version, c.FounderID).
		Set("Version", c.Version+1).Set("Founder", to)
	communityMembers.Update(tx, communityMemberKey(communities.CommunityRef{CommunityID: c.ID, UserID: c.FounderID})).Set("IsFounder", false)
	heir := communityMembers.Update(tx, communityMemberKey(communities.CommunityRef{CommunityID: c.ID, UserID: to})).Set("IsFounder", true)
	living := users.Check(tx, userKey(to)).If("Deleted = ?", false) // others are about to leave
	foundedCounts.Moved(tx, &from, &after)
	return stored.Concurrent(tx.Run(ctx), stored.On(communities.ErrNotMember, heir, living))
}

// Delete deletes a community without chats. Its memberships are removed later.
func (s *CommunityStore) Delete(ctx context.Context, c *communities.Community, events ...outbox.Record) error {
	item := communityItemOf(c)
	tx := s.db.NewTx()
	communityNames.Delete(tx, communityNameKey(c.Name)).If("CommunityId = ?", c.ID)
	reserveName(tx, c.ID, c.Name, "")
	gone := communityRow.Delete(tx, communityKey(c.ID)).If("ChatCount = ? AND Founder = ? AND Name = ?", 0, c.FounderID, c.Name)
	foundedCounts.Moved(tx, &item, nil)
	hasChats := func(now *communityItem) bool { return now.ChatCount > 0 }
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.OnItem(communities.ErrHasChats, communityRow, gone, hasChats))
}

// Forget deletes memberships of a deleted community. They may be deleted already.
func (s *CommunityStore) Forget(ctx context.Context, members []communities.CommunityRef) error {
	b := s.db.NewBulk()
	for _, m := range members {
		communityMembers.DeleteIn(b, communityMemberKey(m))
	}
	return b.Run(ctx)
}

// Join makes a user a member. It fails with ErrMember and ErrNoCommunity.
func (s *CommunityStore) Join(ctx context.Context, m *communities.CommunityMember) error {
	item := communityMemberItemOf(m)
	tx := s.db.NewTx()
	member := communityMembers.Create(tx, item)
	memberCounts.Moved(tx, nil, &item)
	community := communityRow.Check(tx, communityKey(m.CommunityID)).Exists()
	alive(tx, m.UserID)
	return stored.Concurrent(tx.Run(ctx), stored.On(communities.ErrNoCommunity, community), stored.On(communities.ErrMember, member))
}

// Leave removes a membership of a user who is not the founder. They leave its chats later.
// It fails with ErrNotMember.
func (s *CommunityStore) Leave(ctx context.Context, m *communities.CommunityMember, events ...outbox.Record) error {
	item := communityMemberItemOf(m)
	tx := s.db.NewTx()
	member := communityMembers.Delete(tx, communityMemberKey(m.CommunityRef)).If("IsFounder = ? AND JoinedAt = ?", false, item.JoinedAt)
	memberCounts.Moved(tx, &item, nil)
	community := communityRow.Check(tx, communityKey(m.CommunityID)).Exists()
	return stored.Concurrent(ops.Commit(ctx, tx, events...), stored.On(communities.ErrNoCommunity, community), stored.On(refusal.ErrConcurrent, member))
}

// InPlace returns the communities of a country, a state or a city, ordered by state and
// city. The names are folded; "" matches any.
func (s *CommunityStore) InPlace(ctx context.Context, l communities.Location, q page.Query) (page.Page[*communities.Community], error) {
	slots := []string{l.Country}
	if l.State != "" {
		slots = append(slots, l.State)
	}
	if l.City != "" {
		slots = append(slots, l.City)
	}
	return stored.List(ctx, s.db, communityRow.Begins(CommunityLocation, slots...), q, false, (*communityItem).community)
}

// OfTopic returns the communities of a topic, ordered by id.
func (s *CommunityStore) OfTopic(ctx context.Context, t communities.Topic, q page.Query) (page.Page[*communities.Community], error) {
	return stored.List(ctx, s.db, communityRow.Begins(CommunityTopic, string(t)), q, false, (*communityItem).community)
}

// Members returns the members of a community, ordered by id.
func (s *CommunityStore) Members(ctx context.Context, id communities.CommunityID, q page.Query) (page.Page[*communities.CommunityMember], error) {
	return stored.List(ctx, s.db, communityMembers.Begins(keyspec.Primary, string(id)), q, false, (*communityMemberItem).member)
}

// Memberships returns a user's communities, ordered by id.
func (s *CommunityStore) Memberships(ctx context.Context, id communities.UserID, q page.Query) (page.Page[*communities.CommunityMember], error) {
	return stored.List(ctx, s.db, communityMembers.Begins(CommunityMembers, string(id)), q, false, (*communityMemberItem).member)
}

// Chats returns the group chats of a community, ordered by id.
func (s *CommunityStore) Chats(ctx context.Context, id communities.CommunityID, q page.Query) (page.Page[communities.ChatID], error) {
	return stored.List(ctx, s.db, pointers.Begins(keyspec.Primary, string(id)), q, false, func(i *pointerItem) communities.ChatID { return i.ChatID })
}
