package store

import (
	"slices"

	"stoa/internal/kit/optional"
	"stoa/systems/communities"
)

// checkChats checks members and owners (communities 6#13, 6#15, 6#17 and 6#20), and unread counts.
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
			if m.CommunityID != g.CommunityID {
				c.breaks("chat %s of community %s has the member %s, as one of community %s", id, g.CommunityID, m.UserID, m.CommunityID)
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
		for _, m := range members {
			if m.UserID == m.OtherID || !slices.Contains(p.MemberIDs, m.UserID) || !slices.Contains(p.MemberIDs, m.OtherID) {
				c.breaks("private chat %s of %v has the member %s with %s", id, p.MemberIDs, m.UserID, m.OtherID)
			}
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
			if n != m.Unread && min(n, m.Unread) < communities.MaxUnread {
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
		if i.RetryAfter.IsZero() || i.ExpiresAt == 0 {
			c.breaks("guard %+v never passes", i)
		}
		return
	}
	c.pending[i.RequestID] = i
}

// checkRequests checks that both copies are equal, and that exactly the pending requests
// have a guard (communities 6#16).
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
			if g := c.pending[id]; g.UserID != r.UserID || g.ChatID != r.ChatID || g.RequestSK != requestPrefix+r.Moment.String() {
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
	same := optional.Or(a.Note, "") == optional.Or(b.Note, "") && a.At.Equal(b.At) && a.DecidedAt.Equal(b.DecidedAt)
	a.Note, a.At, a.DecidedAt = b.Note, b.At, b.DecidedAt
	return same && a == b
}
