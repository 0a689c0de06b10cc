package household

import (
	"context"
	"slices"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/pantry"
)

// Group returns a group to a member, or nil to others.
func (s *Service) Group(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (*pantry.SeenGroup, error) {
	g, err := pantry.GroupFor(ctx, s.Users, v.UserID, id)
	if err != nil {
		return nil, err
	}
	return g.SeenBy(v.UserID), nil
}

// Mine returns the viewer's groups.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, list page.Args) (page.Page[*pantry.SeenGroup], error) {
	self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
	if err != nil {
		return page.Page[*pantry.SeenGroup]{}, err
	}
	return s.groupsOf(ctx, v, self.GroupIDs, list)
}

// GroupsOf returns a user's groups to themselves, or nil to others.
func (s *Service) GroupsOf(ctx context.Context, v viewer.Viewer, u *pantry.SeenUser, list page.Args) (*page.Page[*pantry.SeenGroup], error) {
	if !u.IsSelf() {
		return nil, nil
	}
	ids, known := u.GroupIDs()
	if !known {
		self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
		if err != nil {
			return nil, err
		}
		ids = self.GroupIDs
	}
	p, err := s.groupsOf(ctx, v, ids, list)
	return &p, err
}

// groupsOf returns a page of groups from a sorted list of all. Groups that have been
// deleted are skipped without shortening the page.
func (s *Service) groupsOf(ctx context.Context, v viewer.Viewer, ids []pantry.GroupID, list page.Args) (p page.Page[*pantry.SeenGroup], err error) {
	l, err := page.ListOf(list, "pantry.myGroups", v.UserID)
	if err != nil {
		return p, err
	}
	q := l.Query
	from, found := slices.BinarySearch(ids, pantry.GroupID(q.After))
	if found {
		from++
	}
	facts, err := s.Users.Facts(ctx, pantry.Wanted{Groups: ids[from:]})
	if err != nil {
		return p, err
	}
	for _, id := range ids[from:] {
		g := facts.Groups[id].SeenBy(v.UserID)
		if g == nil {
			continue
		}
		if len(p.Items) == q.First {
			p.Next = l.Seal(string(p.Items[q.First-1].ID()))
			break
		}
		p.Items = append(p.Items, g)
	}
	return p, nil
}

// Members returns the members of a group of the viewer.
func (s *Service) Members(ctx context.Context, v viewer.Viewer, id pantry.GroupID, list page.Args) (page.Page[*pantry.SeenUser], error) {
	g, err := pantry.Admit(ctx, s.Users, v.UserID, id)
	if err != nil {
		return page.Page[*pantry.SeenUser]{}, err
	}
	return s.members(ctx, v, g.SeenBy(v.UserID), list)
}

// MembersOf returns the members of a group that the viewer sees.
func (s *Service) MembersOf(ctx context.Context, v viewer.Viewer, of *pantry.SeenGroup, list page.Args) (page.Page[*pantry.SeenUser], error) {
	if _, err := of.Inside(); err != nil {
		return page.Page[*pantry.SeenUser]{}, err
	}
	return s.members(ctx, v, of, list)
}

func (s *Service) members(ctx context.Context, v viewer.Viewer, g *pantry.SeenGroup, list page.Args) (p page.Page[*pantry.SeenUser], err error) {
	l, err := page.ListOf(list, "pantry.groupUsers", v.UserID, string(g.ID()))
	if err != nil {
		return p, err
	}
	return page.Fill(l, page.Of(ctx, s.Groups.UserIDs, g.ID()), func(ids []pantry.UserID) (shown []*pantry.SeenUser, err error) {
		var met []pantry.Met
		for _, id := range ids {
			if m, ok := g.Met(id); ok { // others joined after the group was read
				met = append(met, m)
			}
		}
		seen, err := s.Met(ctx, met)
		for _, m := range met {
			if u := seen[m]; u != nil { // others were deleted and are about to leave
				shown = append(shown, u)
			}
		}
		return shown, err
	})
}

func (s *Service) newGroup(name string, founder pantry.UserID) *pantry.Group {
	at := s.Now()
	return &pantry.Group{
		ID: pantry.GroupID(s.NewID()), Name: name, UserIDs: []pantry.UserID{founder}, CreatedAt: at, UpdatedAt: at, Version: 1,
	}
}

// CreateGroup creates a group with the viewer as its member. A nil name means the default.
func (s *Service) CreateGroup(ctx context.Context, v viewer.Viewer, name *string) (*pantry.SeenGroup, error) {
	facts, err := s.Users.Facts(ctx, pantry.Wanted{Users: []pantry.UserID{v.UserID}})
	if err != nil {
		return nil, err
	}
	if err := facts.Registered(v.UserID); err != nil {
		return nil, err
	}
	g := s.newGroup(optional.Or(name, pantry.DefaultGroupName), v.UserID)
	if err := pantry.CheckGroupName(g.Name); err != nil {
		return nil, err
	}
	if err := s.Groups.Create(ctx, g); err != nil {
		return nil, err
	}
	return g.SeenBy(v.UserID), nil
}

// RenameGroup changes a group's name. If expected is not nil, the group must have that
// version.
func (s *Service) RenameGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID, name string, expected *int) (*pantry.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*pantry.SeenGroup, error) {
		g, err := pantry.Admit(ctx, s.Users, v.UserID, id)
		if err != nil {
			return nil, err
		}
		if err := pantry.CheckGroupName(name); err != nil {
			return nil, err
		}
		if err := input.CheckVersion(expected, g.Version); err != nil {
			return nil, err
		}
		renamed := *g
		renamed.Name, renamed.UpdatedAt, renamed.Version = name, s.Now(), g.Version+1
		return renamed.SeenBy(v.UserID), s.Groups.Rename(ctx, g, name, v.UserID, renamed.UpdatedAt)
	})
}

// DeleteGroup deletes a group. Its memberships and containers are removed when the event is
// received.
func (s *Service) DeleteGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (pantry.GroupID, error) {
	return id, decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		g, err := pantry.Admit(ctx, s.Users, v.UserID, id)
		if err != nil {
			return err
		}
		return s.deleteGroup(ctx, a, g, "")
	})
}

// deleteGroup deletes a group, for a member or, if gone is not "", because of its last one, who
// must still be deleted.
func (s *Service) deleteGroup(ctx context.Context, a *decision.Attempt, g *pantry.Group, gone pantry.UserID) error {
	var link *pantry.JoinLink
	if ref := (pantry.LinkRef{GroupID: g.ID, Key: g.CurrentLink}); ref.Key != "" {
		facts, err := s.Users.Facts(ctx, pantry.Wanted{Links: []pantry.LinkRef{ref}})
		if err != nil {
			return err
		}
		link = facts.Links[ref]
	}
	return s.Groups.Delete(ctx, g, link, gone, a.Emit(pantry.GroupDeleted{GroupID: g.ID, UserIDs: g.UserIDs})...)
}

// cleaned is the number of memberships or containers removed at a time.
const cleaned = 25

// inContainers is the cursor after all memberships have been removed.
const inContainers = "containers"

// CleanGroup removes the memberships, then the containers, of a deleted group, a page at a
// time. It can be repeated from any cursor.
func (s *Service) CleanGroup(ctx context.Context, e pantry.GroupDeleted, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if cursor != inContainers {
		from, _ := slices.BinarySearch(e.UserIDs, pantry.UserID(cursor))
		members := e.UserIDs[from:min(from+cleaned, len(e.UserIDs))]
		err := decision.Do(ctx, s.Frame, func(*decision.Attempt) error { return s.Groups.Forget(ctx, e.GroupID, members) })
		if err != nil {
			return "", 0, err
		}
		if from == 0 {
			tell(pantry.News{GroupID: e.GroupID, Gone: true})
		}
		if end := from + len(members); end < len(e.UserIDs) {
			return string(e.UserIDs[end]), 2 * len(members), nil
		}
		return inContainers, 2 * len(members), nil
	}
	containers, err := s.Containers.IDs(ctx, e.GroupID, page.Query{First: cleaned})
	if err != nil {
		return "", 0, err
	}
	if err := s.Containers.Forget(ctx, e.GroupID, containers.Items); err != nil {
		return "", 0, err
	}
	if containers.Next != "" {
		next = inContainers
	}
	return next, 2 * len(containers.Items), nil
}

// Leave makes the viewer leave a group.
func (s *Service) Leave(ctx context.Context, v viewer.Viewer, id pantry.GroupID) (pantry.GroupID, error) {
	_, err := s.remove(ctx, v, id, v.UserID)
	return id, err
}

// Remove removes a member from a group of the viewer.
func (s *Service) Remove(ctx context.Context, v viewer.Viewer, id pantry.GroupID, member pantry.UserID) (*pantry.SeenGroup, error) {
	g, err := s.remove(ctx, v, id, member)
	if err != nil {
		return nil, err
	}
	return g.SeenBy(v.UserID).Without(member), nil
}

// remove removes a member from a group and returns the group as it was.
func (s *Service) remove(ctx context.Context, v viewer.Viewer, id pantry.GroupID, member pantry.UserID) (*pantry.Group, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*pantry.Group, error) {
		g, err := pantry.Admit(ctx, s.Users, v.UserID, id)
		switch {
		case err != nil:
			return nil, err
		case !g.Has(member):
			return nil, pantry.ErrNotAMember
		case len(g.UserIDs) == 1:
			return nil, pantry.ErrLastMember
		}
		return g, s.Groups.Leave(ctx, id, member, v.UserID, false, a.Emit(pantry.MemberLeft{GroupID: id, UserID: member})...)
	})
}
