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
// (communities 6#18), and that users are listed in their cities.
func (c *census) checkUsers() {
	left := maps.Clone(c.guards)
	for id, u := range c.users {
		if u.Deleted {
			if u.Username != "" || u.Email != "" || u.PasswordHash != "" || u.Location != (communities.Location{}) {
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
		if want := placeKeysOf(u.Location); u.placeKeys != want {
			c.breaks("user %s is listed in %v, not in %v", id, u.placeKeys, want)
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
// that names are reserved, and that each chat has its pointer (communities 6#14 and 6#18).
func (c *census) checkCommunities() {
	names := maps.Clone(c.names)
	for id, community := range c.communities {
		name := communities.Fold(community.Name)
		if names[name] != id {
			c.breaks("community %s is called %q, which guards %q", id, name, names[name])
		}
		delete(names, name)
		if want := placeKeysOf(community.Location); community.placeKeys != want {
			c.breaks("community %s is listed in %v, not in %v", id, community.placeKeys, want)
		}
		if f := c.inhabitants[communities.CommunityRef{CommunityID: id, UserID: community.FounderID}]; !f.IsFounder {
			c.breaks("community %s: its founder %s is not marked so", id, community.FounderID)
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
		if m.IsFounder != (community.FounderID == ref.UserID) {
			c.breaks("community %s: member %s is founder: %v", ref.CommunityID, ref.UserID, m.IsFounder)
		}
		if u := c.users[ref.UserID]; u.ID == "" || u.Deleted {
			c.breaks("community %s has the member %s, who is gone", ref.CommunityID, ref.UserID)
		}
	}
	for id, p := range c.pointers {
		if g, ok := c.groups[id]; !ok || g.CommunityID != p.CommunityID || g.Name != p.Name || g.Closed != p.Private {
			c.breaks("pointer %+v to chat %+v", p, g)
		}
	}
	for id, g := range c.groups {
		if _, ok := c.pointers[id]; !ok {
			c.breaks("chat %s of community %s has no pointer", id, g.CommunityID)
		}
	}
}

// notice checks that a notification is stored in one place, which matches its status
// (communities 6#19).
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
