package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/systems/pantry"
)

// Broken reads everything and returns violations of the invariants between items, beyond
// those of keys and counters, which keyspec's Verify checks. Concurrent writes, and the
// rest of a group that is being removed, may be reported as false positives.
func Broken(ctx context.Context, db *keyspec.DB, now time.Time) ([]keyspec.Flaw, error) {
	c := &census{
		users: map[pantry.UserID]pantry.User{}, emails: map[pantry.UserID]string{}, groups: map[pantry.GroupID]pantry.Group{},
		members: map[pantry.GroupID][]pantry.UserID{}, containers: map[pantry.ContainerID]containerItem{},
		links: map[pantry.ContainerID]containerLinkItem{}, codes: map[string]linkCodeItem{},
	}
	err := db.Walk(ctx,
		users.Each(func(i pantry.User) { c.users[i.ID] = i }),
		emails.Each(func(i emailItem) { c.emails[i.UserID] = i.Address }),
		memberships.Each(func(i membershipItem) { c.members[i.GroupID] = append(c.members[i.GroupID], i.UserID) }),
		groups.Each(func(i pantry.Group) { c.groups[i.ID] = i }),
		containerLinks.Each(func(i containerLinkItem) { c.links[i.ContainerID] = i }),
		containers.Each(func(i containerItem) { c.containers[i.ID] = i }),
		joinLinks.Each(func(i joinLinkItem) { c.joinLinks = append(c.joinLinks, i) }),
		linkCodes.Each(func(i linkCodeItem) { c.codes[i.Code] = i }),
	)
	if err != nil {
		return nil, err
	}
	c.checkUsers()
	c.checkGroups()
	c.checkContainers()
	c.checkLinks(now)
	slices.SortFunc(c.broken, func(a, b keyspec.Flaw) int { return strings.Compare(a.Text, b.Text) })
	return c.broken, nil
}

// census contains everything stored.
type census struct {
	users      map[pantry.UserID]pantry.User
	emails     map[pantry.UserID]string
	groups     map[pantry.GroupID]pantry.Group
	members    map[pantry.GroupID][]pantry.UserID
	containers map[pantry.ContainerID]containerItem
	links      map[pantry.ContainerID]containerLinkItem
	joinLinks  []joinLinkItem
	codes      map[string]linkCodeItem

	broken []keyspec.Flaw
}

func (c *census) breaks(format string, args ...any) {
	c.broken = append(c.broken, keyspec.Flaw{Text: fmt.Sprintf(format, args...)})
}

// checkUsers checks that each address has one live user.
func (c *census) checkUsers() {
	for id, u := range c.users {
		if address, _ := pantry.FoldEmail(u.Email); address != c.emails[id] {
			c.breaks("user %s has the address %q, and guards %q", id, address, c.emails[id])
		}
	}
	for id, address := range c.emails {
		if _, ok := c.users[id]; !ok {
			c.breaks("the address %q is guarded for user %s, who is gone", address, id)
		}
	}
}

// checkGroups checks that the members of a group are those with a membership, and that
// there is at least one.
func (c *census) checkGroups() {
	for id, g := range c.groups {
		members := c.members[id]
		slices.Sort(members)
		if len(g.UserIDs) == 0 {
			c.breaks("group %s has no members", id)
		}
		if !slices.Equal(members, g.UserIDs) {
			c.breaks("group %s names %v, memberships have %v", id, g.UserIDs, members)
		}
	}
	for id := range c.members {
		if _, ok := c.groups[id]; !ok {
			c.breaks("group %s is gone, its memberships are not", id)
		}
	}
}

// checkContainers checks that each container is linked from its group under its name, and
// contains valid foods.
func (c *census) checkContainers() {
	for id, box := range c.containers {
		if _, ok := c.groups[box.GroupID]; !ok {
			c.breaks("container %s is of group %s, which is gone", id, box.GroupID)
		}
		if l, ok := c.links[id]; !ok || l.GroupRef != box.GroupID || l.Name != box.Name {
			c.breaks("container %s, %q of group %s, is linked as %q of %q", id, box.Name, box.GroupID, l.Name, l.GroupRef)
		}
		if box.FoodCount != len(box.Foods) || box.FoodCount > pantry.MaxFoods {
			c.breaks("container %s counts %d foods and has %d", id, box.FoodCount, len(box.Foods))
		}
		for key, f := range box.Foods {
			if f.ID != key || f.Version < 1 || f.Name == "" || f.CreatedAt.IsZero() {
				c.breaks("container %s: food %s is %+v", id, key, f)
			}
			if q := f.Quantity; q != nil && (strings.HasPrefix(string(*q), "-") || pantry.MustDecimal(string(*q)).String() != string(*q)) {
				c.breaks("container %s: food %s has the quantity %s", id, key, *q)
			}
		}
	}
	for id, l := range c.links {
		if _, ok := c.containers[id]; !ok {
			c.breaks("container %s is linked from group %s, but gone", id, l.GroupRef)
		}
	}
}

// checkLinks checks that a group has at most one join link, which it names, that each link is
// listed when it has expired, and that each has its code.
func (c *census) checkLinks(now time.Time) {
	live, codes := map[pantry.GroupID]int{}, maps.Clone(c.codes)
	for _, l := range c.joinLinks {
		switch g, ok := c.groups[l.GroupID]; {
		case !ok:
			c.breaks("group %s is gone, its join link is not", l.GroupID)
		case g.CurrentLink != refOf(l.link()).Key:
			c.breaks("group %s has the join link %s, and names %q", l.GroupID, refOf(l.link()).Key, g.CurrentLink)
		}
		if l.Kind != linkKind {
			c.breaks("join link %s of group %s is listed in %q", refOf(l.link()).Key, l.GroupID, l.Kind)
		}
		if !l.link().Expired(now) {
			live[l.GroupID]++
		}
		code, ok := codes[l.Code]
		if !ok || code.GroupRef != l.GroupID || code.LinkSK != refOf(l.link()).Key || code.EndsAt != l.EndsAt {
			c.breaks("join link %s of group %s has the code item %+v", refOf(l.link()).Key, l.GroupID, code)
		}
		delete(codes, l.Code)
	}
	for id, n := range live {
		if n > 1 {
			c.breaks("group %s has %d live join links", id, n)
		}
	}
	for code, item := range codes {
		c.breaks("code %s leads to %s of group %s, which is no link", code, item.LinkSK, item.GroupRef)
	}
}
