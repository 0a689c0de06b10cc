package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/communities"
)

// Broken reads everything and returns violations of the invariants between items, beyond
// those of keys and counters, which keyspec's Verify checks. Concurrent writes, and the
// rest of what is being removed, may be reported as false positives.
func Broken(ctx context.Context, db *keyspec.DB, _ time.Time) ([]keyspec.Flaw, error) {
	c := &census{
		users: map[communities.UserID]userItem{}, guards: map[string]communities.UserID{},
		communities: map[communities.CommunityID]communityItem{}, inhabitants: map[communities.CommunityRef]communityMemberItem{},
		pointers: map[communities.ChatID]pointerItem{}, names: map[string]communities.CommunityID{},
		groups: map[communities.ChatID]groupChatItem{}, privates: map[communities.ChatID]privateChatItem{},
		byUser: map[string]requestItem{}, byChat: map[string]requestItem{}, pending: map[string]guardItem{},
		notices: map[string]bool{},
	}
	for _, shelves := range [][]keyspec.Shelf{
		{
			users.Each(func(i userItem) { c.users[i.ID] = i }),
			usernames.Each(func(i userGuardItem) { c.guards["name "+i.Name] = i.UserID }),
			emails.Each(func(i userGuardItem) { c.guards["address "+i.Name] = i.UserID }),
		},
		{
			communityRow.Each(func(i communityItem) { c.communities[i.ID] = i }),
			communityMembers.Each(func(i communityMemberItem) { c.inhabitants[i.member().CommunityRef] = i }),
			pointers.Each(func(i pointerItem) { c.pointers[i.ChatID] = i }),
			communityNames.Each(func(i communityNameItem) { c.names[i.Name] = i.CommunityID }),
		},
		{
			groupChats.Each(func(i groupChatItem) { c.groups[i.ID] = i }),
			groupMembers.Each(func(i groupMemberItem) { c.members = append(c.members, i.member()) }),
			groupMessages.Each(func(i messageItem) { c.messages = append(c.messages, i.message(communities.Group)) }),
		},
		{
			privateChats.Each(func(i privateChatItem) { c.privates[i.ID] = i }),
			privateMembers.Each(func(i privateMemberItem) { c.members = append(c.members, i.member()) }),
			privateMessages.Each(func(i messageItem) { c.messages = append(c.messages, i.message(communities.Private)) }),
		},
		{
			userRequests.Each(func(i requestItem) { c.byUser[i.ID] = i }),
			chatRequests.Each(func(i requestItem) { c.byChat[i.ID] = i }),
			guards.Each(func(i guardItem) { c.guard(i) }),
		},
		{
			unread.Each(func(i notificationItem) { c.notice(i, false) }),
			read.Each(func(i notificationItem) { c.notice(i, true) }),
		},
	} {
		if err := db.Walk(ctx, shelves...); err != nil {
			return nil, err
		}
	}
	c.checkUsers()
	c.checkCommunities()
	c.checkChats()
	c.checkRequests()
	slices.SortFunc(c.broken, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return c.broken, nil
}

// census contains everything stored.
type census struct {
	users       map[communities.UserID]userItem
	guards      map[string]communities.UserID
	communities map[communities.CommunityID]communityItem
	inhabitants map[communities.CommunityRef]communityMemberItem
	pointers    map[communities.ChatID]pointerItem
	names       map[string]communities.CommunityID
	groups      map[communities.ChatID]groupChatItem
	privates    map[communities.ChatID]privateChatItem
	members     []*communities.Member
	messages    []*communities.Message
	// byUser and byChat are the two copies of requests, by id. pending are the guards of
	// pending requests, by request.
	byUser, byChat map[string]requestItem
	pending        map[string]guardItem
	notices        map[string]bool

	broken []keyspec.Flaw
}

func (c *census) breaks(format string, args ...any) {
	c.broken = append(c.broken, keyspec.Flaw{Text: fmt.Sprintf(format, args...)})
}

// checkUsers checks that usernames and addresses map one-to-one to users who exist
// (invariant 6).
func (c *census) checkUsers() {
	left := maps.Clone(c.guards)
	for id, u := range c.users {
		if u.Deleted {
			if u.Username != "" || u.Email != "" || u.PasswordHash != "" || u.Location != nil {
				c.breaks("user %s is gone, but not what is theirs", id)
			}
			continue
		}
		for _, guard := range []string{"name " + communities.Fold(u.Username), "address " + communities.Fold(u.Email)} {
			if left[guard] != id {
				c.breaks("user %s has the %s, which guards %q", id, guard, left[guard])
			}
			delete(left, guard)
		}
		if u.Banned && u.Role == communities.Admin {
			c.breaks("user %s is banned and an administrator", id)
		}
	}
	for guard, id := range left {
		c.breaks("the %s is guarded for %s, who does not have it", guard, id)
	}
}

// checkCommunities checks that the founder is the one member who founded the community,
// that names are reserved, and that each chat has its pointer (invariants 2 and 6).
func (c *census) checkCommunities() {
	names := maps.Clone(c.names)
	for id, community := range c.communities {
		name := communities.Fold(community.Name)
		if names[name] != id {
			c.breaks("community %s is called %q, which guards %q", id, name, names[name])
		}
		delete(names, name)
		if f := c.inhabitants[communities.CommunityRef{CommunityID: id, UserID: community.Founder}]; !f.IsFounder {
			c.breaks("community %s: its founder %s is not marked so", id, community.Founder)
		}
	}
	for name, id := range names {
		c.breaks("the name %q is guarded for community %s, which does not have it", name, id)
	}
	for ref, m := range c.inhabitants {
		community, ok := c.communities[ref.CommunityID]
		if !ok {
			c.breaks("community %s is gone, its member %s is not", ref.CommunityID, ref.UserID)
		}
		if m.IsFounder != (community.Founder == ref.UserID) {
			c.breaks("community %s: member %s is founder: %v", ref.CommunityID, ref.UserID, m.IsFounder)
		}
		if u := c.users[ref.UserID]; u.ID == "" || u.Deleted {
			c.breaks("community %s has the member %s, who is gone", ref.CommunityID, ref.UserID)
		}
	}
	for id, p := range c.pointers {
		if g, ok := c.groups[id]; !ok || g.CommunityID != p.CommunityID || g.Name != p.Name || g.Private != p.Private {
			c.breaks("pointer %+v to chat %+v", p, g)
		}
	}
	for id, g := range c.groups {
		if _, ok := c.pointers[id]; !ok {
			c.breaks("chat %s of community %s has no pointer", id, g.CommunityID)
		}
	}
}

// checkChats checks members and owners (invariants 1, 3, 5 and 8), and unread counts.
func (c *census) checkChats() {
	of := map[communities.ChatRef][]*communities.Member{}
	for _, m := range c.members {
		of[m.Chat] = append(of[m.Chat], m)
	}
	written := map[communities.ChatRef][]*communities.Message{}
	for _, m := range c.messages {
		written[m.Chat] = append(written[m.Chat], m)
	}
	for id, g := range c.groups {
		owners := 0
		for _, m := range of[communities.GroupRef(id)] {
			if m.Role == communities.Owner {
				owners++
			}
			if (m.Role == communities.Owner) != (m.UserID == g.OwnerID) {
				c.breaks("chat %s is owned by %s, and %s is its %s", id, g.OwnerID, m.UserID, m.Role)
			}
			if _, ok := c.inhabitants[communities.CommunityRef{CommunityID: g.CommunityID, UserID: m.UserID}]; !ok {
				c.breaks("chat %s has the member %s, who is not in community %s", id, m.UserID, g.CommunityID)
			}
		}
		if owners != 1 || g.NumMembers > g.Capacity || g.NumMembers != len(of[communities.GroupRef(id)]) {
			c.breaks("chat %s has %d owners and %d members of %d, and says %d", id, owners, len(of[communities.GroupRef(id)]), g.Capacity, g.NumMembers)
		}
	}
	for id, p := range c.privates {
		members := of[communities.PrivateRef(id)]
		if len(members) != 2 || len(p.MemberIDs) != 2 || communities.PrivateChatOf(p.MemberIDs[0], p.MemberIDs[1]) != id {
			c.breaks("private chat %s of %v has %d members", id, p.MemberIDs, len(members))
		}
	}
	for ref, members := range of {
		if !c.there(ref) {
			c.breaks("chat %s is gone, its members are not", ref.ID)
		}
		for _, m := range members {
			n := 0
			for _, message := range written[ref] {
				if communities.MessageKey(message.Moment) > m.Read && message.Counts(m.UserID) {
					n++
				}
			}
			if n != m.Unread {
				c.breaks("chat %s: member %s has %d unread and counts %d", ref.ID, m.UserID, n, m.Unread)
			}
		}
	}
	for ref, messages := range written {
		if !c.there(ref) {
			c.breaks("chat %s is gone, its messages are not", ref.ID)
		}
		times := map[int64]bool{}
		for _, m := range messages {
			if times[m.At.UnixMilli()] {
				c.breaks("chat %s has two messages of %v", ref.ID, m.At)
			}
			times[m.At.UnixMilli()] = true
			if m.Deleted && (m.Content != "" || len(m.Reactions) > 0) {
				c.breaks("chat %s: message %s is deleted, but not what it said", ref.ID, m.ID)
			}
			for id := range m.Reactions {
				if c.users[id].Deleted {
					c.breaks("chat %s: message %s has a reaction by %s, who is gone", ref.ID, m.ID, id)
				}
			}
		}
	}
}

func (c *census) there(ref communities.ChatRef) bool {
	if ref.Type == communities.Private {
		_, ok := c.privates[ref.ID]
		return ok
	}
	_, ok := c.groups[ref.ID]
	return ok
}

func (c *census) guard(i guardItem) {
	if i.State != statePending {
		if i.RetryAfter == 0 || i.ExpiresAt == 0 {
			c.breaks("guard %+v never passes", i)
		}
		return
	}
	c.pending[i.RequestID] = i
}

// checkRequests checks that both copies are equal, and that exactly the pending requests
// have a guard (invariant 4).
func (c *census) checkRequests() {
	for id, r := range c.byUser {
		other, ok := c.byChat[id]
		if !ok || !sameRequest(r, other) {
			c.breaks("request %s has the copies %+v and %+v", id, r, other)
		}
		if (r.PendingID != "") != (r.Status == communities.Pending) {
			c.breaks("request %s is %s and has the pending id %q", id, r.Status, r.PendingID)
		}
		if r.Status == communities.Pending {
			if g := c.pending[id]; g.UserID != r.UserID || g.ChatID != r.ChatID {
				c.breaks("request %s is pending and has the guard %+v", id, g)
			}
			if !c.there(communities.GroupRef(r.ChatID)) {
				c.breaks("request %s is pending for chat %s, which is gone", id, r.ChatID)
			}
			if _, ok := c.inhabitants[communities.CommunityRef{CommunityID: r.CommunityID, UserID: r.UserID}]; !ok {
				c.breaks("request %s is pending by %s, who is not in community %s", id, r.UserID, r.CommunityID)
			}
			delete(c.pending, id)
		}
	}
	for id := range c.byChat {
		if _, ok := c.byUser[id]; !ok {
			c.breaks("request %s has no copy with its user", id)
		}
	}
	for id, g := range c.pending {
		c.breaks("guard %+v of request %s, which is not pending", g, id)
	}
}

func sameRequest(a, b requestItem) bool {
	note := deref(a.Note) == deref(b.Note)
	a.Note, b.Note = nil, nil
	return note && a == b
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// notice checks that a notification is stored in one place, which matches its status
// (invariant 7).
func (c *census) notice(i notificationItem, isRead bool) {
	id := string(i.UserID) + " " + i.ID
	if c.notices[id] {
		c.breaks("notification %s lies in two places", id)
	}
	c.notices[id] = true
	if i.Read != isRead || i.Read && !i.Seen {
		c.breaks("notification %s is read: %v, seen: %v, and lies where read: %v", id, i.Read, i.Seen, isRead)
	}
}
