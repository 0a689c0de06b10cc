package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// ChatStore stores chats and their members. Changes fail with Conflict if something
// has changed since it was read.
type ChatStore struct{ Reader }

// inside requires that a user is in the community of a chat.
func inside(tx *keyspec.Tx, c *communities.Chat, id communities.UserID) keyspec.Write {
	return communityMembers.Check(tx, communityMemberKey(communities.CommunityRef{CommunityID: c.CommunityID, UserID: id})).Exists()
}

// Create stores a group chat with its owner as a member, who must be in the community.
func (s *ChatStore) Create(ctx context.Context, c *communities.Chat, owner *communities.Member) error {
	pointer := pointerItemOf(c)
	tx := s.db.NewTx()
	groupChats.Create(tx, groupChatItemOf(c)) // already counts its owner
	groupMembers.Create(tx, groupMemberItemOf(owner))
	pointers.Create(tx, pointer)
	chatCounts.Moved(tx, nil, &pointer)
	there := communityRow.Check(tx, communityKey(c.CommunityID)).Exists()
	in := inside(tx, c, owner.UserID)
	alive(tx, owner.UserID)
	return stored.Concurrent(tx.Run(ctx), stored.On(communities.ErrNoCommunity, there), stored.On(communities.ErrNotInside, in))
}

// Update stores the name, description, capacity and privacy of a group chat, which must
// have the version read.
func (s *ChatStore) Update(ctx context.Context, before, after *communities.Chat) error {
	to := groupChatItemOf(after)
	tx := s.db.NewTx()
	chat := groupChats.Update(tx, groupChatKey(before.ID)).Set("Name", to.Name).Set("Description", to.Description).
		Set("Capacity", to.Capacity).Set("Private", to.Closed).Set("Version", before.Version+1).
		If("Version = ? AND NumMembers <= ?", before.Version, after.Capacity)
	pointers.Update(tx, pointers.KeyOf(pointer(after))).Set("Name", to.Name).Set("Private", to.Closed)
	unchanged := func(now *groupChatItem) bool { return now.Version == before.Version }
	return stored.Concurrent(tx.Run(ctx), stored.OnItem(communities.ErrCapacityTooLow, groupChats, chat, unchanged))
}

func pointer(c *communities.Chat) *pointerItem {
	p := pointerItemOf(c)
	return &p
}

// Delete deletes a group chat and the pointer to it at once, and the membership last if it
// is not nil, which must be the only one. The rest is removed later.
func (s *ChatStore) Delete(ctx context.Context, c *communities.Chat, last *communities.Member, events ...outbox.Record) error {
	tx := s.db.NewTx()
	chat := groupChats.Delete(tx, groupChatKey(c.ID)).If("OwnerId = ? AND CommunityId = ?", c.OwnerID, c.CommunityID)
	if last != nil {
		chat.If("NumMembers = ?", 1)
		groupMembers.Delete(tx, groupMemberKey(c.ID, last.UserID)).Exists()
	}
	pointers.Delete(tx, pointers.KeyOf(pointer(c))).Exists()
	chatCounts.Moved(tx, pointer(c), nil)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// enter adds a membership to a chat that is not full and has had no message since it was
// read, so that the member's unread count is right.
func enter(tx *keyspec.Tx, c *communities.Chat, m *communities.Member) keyspec.Update {
	item := groupMemberItemOf(m)
	groupMembers.Create(tx, item)
	numCounts.Moved(tx, nil, &item)
	inside(tx, c, m.UserID)
	alive(tx, m.UserID)
	return unchangedSince(groupChats.Update(tx, groupChatKey(c.ID)), c).If("NumMembers < Capacity")
}

// unchangedSince requires that no message was sent since a chat was read.
func unchangedSince(u keyspec.Update, c *communities.Chat) keyspec.Update {
	unchanged := func(attribute string, at time.Time) {
		if at.IsZero() {
			u.If("attribute_not_exists(" + attribute + ")")
		} else {
			u.If(attribute+" = ?", at)
		}
	}
	unchanged("LastMessageAt", c.LastMessageAt)
	unchanged("LastHeldAt", c.LastHeldAt)
	return u
}

// Join adds a member to an open group chat and accepts their pending request, nil if there
// is none.
func (s *ChatStore) Join(ctx context.Context, c *communities.Chat, m *communities.Member, accepted *communities.Request, events ...outbox.Record) error {
	tx := s.db.NewTx()
	enter(tx, c, m).If("Private = ?", false)
	if accepted != nil {
		decide(tx, accepted)
		guards.Delete(tx, guardKey(m.MemberRef)).If("RequestId = ?", accepted.ID)
	} else {
		notPending(tx, m.MemberRef)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Leave removes a membership. If it is the owner's, heir becomes the owner.
func (s *ChatStore) Leave(ctx context.Context, c *communities.Chat, m, heir *communities.Member, events ...outbox.Record) error {
	item := groupMemberItemOf(m)
	tx := s.db.NewTx()
	groupMembers.Delete(tx, groupMemberKey(c.ID, m.UserID)).If("JoinedAt = ?", item.JoinedAt)
	numCounts.Moved(tx, &item, nil)
	chat := groupChats.Update(tx, groupChatKey(c.ID)).If("OwnerId = ?", c.OwnerID)
	if heir != nil {
		chat.Set("OwnerId", heir.UserID).Set("Version", c.Version+1).If("Version = ?", c.Version)
		groupMembers.Update(tx, groupMemberKey(c.ID, heir.UserID)).Set("ChatRole", communities.Owner)
	}
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Transfer makes another member the owner.
func (s *ChatStore) Transfer(ctx context.Context, c *communities.Chat, to communities.UserID) error {
	tx := s.db.NewTx()
	groupMembers.Update(tx, groupMemberKey(c.ID, c.OwnerID)).Set("ChatRole", communities.OrdinaryMember)
	heir := groupMembers.Update(tx, groupMemberKey(c.ID, to)).Set("ChatRole", communities.Owner)
	groupChats.Update(tx, groupChatKey(c.ID)).Set("OwnerId", to).Set("Version", c.Version+1).If("OwnerId = ? AND Version = ?", c.OwnerID, c.Version)
	living := users.Check(tx, userKey(to)).If("Deleted = ?", false) // others are about to leave
	return stored.Concurrent(tx.Run(ctx), stored.On(communities.ErrNotMember, heir, living))
}

// Forget deletes memberships and messages of a deleted group chat, some at a time. They may
// be deleted already. more is false if nothing is left.
func (s *ChatStore) Forget(ctx context.Context, id communities.ChatID) (rows int, more bool, err error) {
	q := page.Query{First: forgotten}
	members, err := stored.List(ctx, s.db, groupMembers.Begins(keyspec.Primary, string(id)), q, false, (*groupMemberItem).member)
	if err != nil {
		return 0, false, err
	}
	messages, err := stored.List(ctx, s.db, groupMessages.Begins(keyspec.Primary, string(id)), q, false,
		func(i *messageItem) *communities.Message { return i.message(communities.Group) })
	if err != nil {
		return 0, false, err
	}
	b := s.db.NewBulk()
	for _, m := range members.Items {
		groupMembers.DeleteIn(b, groupMemberKey(id, m.UserID))
	}
	s.forgetMessages(b, messages.Items)
	return len(members.Items) + len(messages.Items), members.Next != "" || messages.Next != "", b.Run(ctx)
}

func (s *ChatStore) forgetMessages(b *keyspec.Bulk, messages []*communities.Message) {
	for _, m := range messages {
		messagesOf(m.Chat.Type).DeleteIn(b, messageKey(m.MessageRef))
		if m.ClientID != "" {
			item := clientIDItemOf(m)
			clientIDs.DeleteIn(b, clientIDs.KeyOf(&item))
		}
		for user := range m.Reactions {
			item := reactedItemOf(m.MessageRef, user)
			reactedTo.DeleteIn(b, reactedTo.KeyOf(&item))
		}
	}
}

// forgotten is the number of items of something deleted that are removed at a time.
const forgotten = 25

// Open stores a private chat. It is not an error if it exists already.
func (s *ChatStore) Open(ctx context.Context, c *communities.Chat, members []*communities.Member) error {
	tx := s.db.NewTx()
	chat := privateChats.Create(tx, privateChatItem{
		Type: "PrivateChat", ID: c.ID, MemberIDs: c.MemberIDs, CreatedAt: c.CreatedAt,
	})
	for _, m := range members {
		privateMembers.Create(tx, privateMemberItemOf(m))
		alive(tx, m.UserID)
	}
	err := tx.Run(ctx)
	if keyspec.Refused(err, chat) {
		return nil
	}
	return stored.Concurrent(err)
}

// Hide hides the messages of a private chat up to a time from a member.
func (s *ChatStore) Hide(ctx context.Context, c *communities.Chat, m *communities.Member, before time.Time) error {
	tx := s.db.NewTx()
	from := communities.ReadFrom(before)
	updateMember(tx, m.MemberRef).Set("HiddenBefore", before).Set("LastReadKey", from).Set("CountedKey", from).
		Set("UnreadCount", 0).If("LastReadKey = ? AND CountedKey = ? AND UnreadCount = ?", m.Read, m.Counted, m.Unread)
	unchangedSince(updateChat(tx, c.ChatRef), c)
	return stored.Concurrent(tx.Run(ctx))
}

// Mute stores whether a member is notified of new messages.
func (s *ChatStore) Mute(ctx context.Context, m communities.MemberRef, muted bool) error {
	tx := s.db.NewTx()
	updateMember(tx, m).Set("Muted", muted)
	return stored.Concurrent(tx.Run(ctx))
}

// Members returns the members of a chat, ordered by id.
func (s *ChatStore) Members(ctx context.Context, c communities.ChatRef, q page.Query) (page.Page[*communities.Member], error) {
	if c.Type == communities.Private {
		return stored.List(ctx, s.db, privateMembers.Begins(keyspec.Primary, string(c.ID)), q, false, (*privateMemberItem).member)
	}
	return stored.List(ctx, s.db, groupMembers.Begins(keyspec.Primary, string(c.ID)), q, false, (*groupMemberItem).member)
}

// Of returns a user's chats of a type, ordered by id.
func (s *ChatStore) Of(ctx context.Context, t communities.ChatType, id communities.UserID, q page.Query) (page.Page[*communities.Member], error) {
	if t == communities.Private {
		return stored.List(ctx, s.db, privateMembers.Begins(UserPrivateChats, string(id)), q, false, (*privateMemberItem).member)
	}
	return stored.List(ctx, s.db, groupMembers.Begins(UserGroupChats, string(id)), q, false, (*groupMemberItem).member)
}
