package kitchen

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// InGroup returns the containers of a group of the viewer.
func (s *Service) InGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID, list page.Args) (page.Page[*pantry.SeenContainer], error) {
	g, err := pantry.Admitted(ctx, s.Store, v.UserID, id)
	if err != nil {
		return page.Page[*pantry.SeenContainer]{}, err
	}
	return s.inGroup(ctx, v, g, list)
}

// OfGroup returns the containers of a group that the viewer sees.
func (s *Service) OfGroup(ctx context.Context, v viewer.Viewer, of *pantry.SeenGroup, list page.Args) (page.Page[*pantry.SeenContainer], error) {
	g, err := of.Inside()
	if err != nil {
		return page.Page[*pantry.SeenContainer]{}, err
	}
	return s.inGroup(ctx, v, g, list)
}

func (s *Service) inGroup(ctx context.Context, v viewer.Viewer, g *pantry.Group, list page.Args) (p page.Page[*pantry.SeenContainer], err error) {
	l, err := page.ListOf(list, "pantry.groupContainers", v.UserID, string(g.ID))
	if err != nil {
		return p, err
	}
	q := l.Query
	ids, err := s.Store.IDs(ctx, g.ID, q)
	if err != nil {
		return p, err
	}
	facts, err := s.Store.Facts(ctx, pantry.Wanted{Containers: ids.Items})
	if err != nil {
		return p, err
	}
	p.Items, p.Next = s.seen(v, facts, map[pantry.GroupID]*pantry.Group{g.ID: g}, ids.Items), l.Seal(ids.Next)
	return p, nil
}

// seen returns containers of some groups as the viewer sees them, in the order of ids.
// Those that were moved elsewhere meanwhile are omitted.
func (s *Service) seen(v viewer.Viewer, facts *pantry.Facts, groups map[pantry.GroupID]*pantry.Group, ids []pantry.ContainerID) []*pantry.SeenContainer {
	now := s.now()
	shown := make([]*pantry.SeenContainer, 0, len(ids))
	for _, id := range ids {
		c := facts.Containers[id]
		if c == nil {
			continue
		}
		if in := c.SeenIn(groups[c.GroupID].SeenBy(v.UserID), now); in != nil {
			shown = append(shown, in)
		}
	}
	return shown
}

// placed is a container in the list of all the viewer's containers.
type placed struct {
	group pantry.GroupID
	id    pantry.ContainerID
}

// Mine returns the containers of all the viewer's groups, by group and id.
func (s *Service) Mine(ctx context.Context, v viewer.Viewer, list page.Args) (p page.Page[*pantry.SeenContainer], err error) {
	self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
	if err != nil {
		return p, err
	}
	l, err := page.ListOf(list, "pantry.myContainers", v.UserID)
	if err != nil {
		return p, err
	}
	q := l.Query
	group, after, _ := strings.Cut(q.After, " ")
	from, _ := slices.BinarySearch(self.GroupIDs, pantry.GroupID(group))
	groups := self.GroupIDs[from:]
	var all []placed
	for len(groups) > 0 && len(all) <= q.First {
		// Reading one group at a time would be slow for users with many small ones.
		some := groups[:min(groupsTogether, len(groups))]
		groups = groups[len(some):]
		found, err := s.inGroups(ctx, some)
		if err != nil {
			return p, err
		}
		for _, at := range found {
			if string(at.group) != group || string(at.id) > after {
				all = append(all, at)
			}
		}
	}
	if len(all) > q.First {
		all = all[:q.First]
		last := all[q.First-1]
		p.Next = l.Seal(string(last.group) + " " + string(last.id))
	}
	p.Items, err = s.show(ctx, v, all)
	return p, err
}

// groupsTogether is the number of groups read concurrently.
const groupsTogether = 8

// inGroups returns the containers of groups in the order of the groups.
func (s *Service) inGroups(ctx context.Context, groups []pantry.GroupID) ([]placed, error) {
	found := make([][]placed, len(groups))
	err := together.Each(ctx, len(groups), groupsTogether, func(ctx context.Context, i int) error {
		ids, err := s.Store.IDs(ctx, groups[i], page.Query{First: pantry.MaxContainers})
		for _, id := range ids.Items {
			found[i] = append(found[i], placed{groups[i], id})
		}
		return err
	})
	return slices.Concat(found...), err
}

// show reads containers with their groups.
func (s *Service) show(ctx context.Context, v viewer.Viewer, all []placed) ([]*pantry.SeenContainer, error) {
	var w pantry.Wanted
	for _, at := range all {
		w.Containers = append(w.Containers, at.id)
		if n := len(w.Groups); n == 0 || w.Groups[n-1] != at.group {
			w.Groups = append(w.Groups, at.group)
		}
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	return s.seen(v, facts, facts.Groups, w.Containers), nil
}

// everywhere reads the containers of a group, or of all the viewer's groups if group is
// nil.
func (s *Service) everywhere(ctx context.Context, v viewer.Viewer, group *pantry.GroupID) ([]*pantry.SeenContainer, error) {
	var groups []pantry.GroupID
	if group != nil {
		if _, err := pantry.Admitted(ctx, s.Store, v.UserID, *group); err != nil {
			return nil, err
		}
		groups = []pantry.GroupID{*group}
	} else {
		self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
		if err != nil {
			return nil, err
		}
		groups = self.GroupIDs
	}
	all, err := s.inGroups(ctx, groups)
	if err != nil {
		return nil, err
	}
	return s.show(ctx, v, all)
}

// Expiring returns the foods that expire in a group, or in all the viewer's groups if group
// is nil, soonest first.
func (s *Service) Expiring(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, e pantry.Expiring, list page.Args) (page.Page[*pantry.Found], error) {
	scope := page.ScopeOf("expiringFoods", string(v.UserID), deref(group), strconv.Itoa(e.WithinDays), strconv.FormatBool(e.IncludeExpired))
	return s.find(ctx, v, group, scope, list, e.Check, func(in []*pantry.SeenContainer, now time.Time) pantry.FoundList { return e.In(in, now) })
}

// Search returns the foods whose names contain a text, by name, in a group or in all the
// viewer's groups if group is nil.
func (s *Service) Search(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, text string, list page.Args) (page.Page[*pantry.Found], error) {
	scope := page.ScopeOf("searchFoods", string(v.UserID), deref(group), text)
	check := func() error { return pantry.CheckSearch(text) }
	return s.find(ctx, v, group, scope, list, check, func(in []*pantry.SeenContainer, _ time.Time) pantry.FoundList { return pantry.Search(in, text) })
}

func deref(group *pantry.GroupID) string {
	if group == nil {
		return ""
	}
	return "group " + string(*group)
}

func (s *Service) find(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, scope page.Scope, list page.Args,
	check func() error, among func([]*pantry.SeenContainer, time.Time) pantry.FoundList) (p page.Page[*pantry.Found], err error) {
	in, err := s.everywhere(ctx, v, group)
	if err != nil {
		return p, err
	}
	q, err := scope.Query(list)
	if err := errors.Join(check(), err); err != nil {
		return p, err
	}
	found, err := among(in, s.now()).After(q.After)
	if err != nil {
		return p, page.ErrToken
	}
	for i := range found[:min(q.First, len(found))] {
		p.Items = append(p.Items, &found[i])
	}
	if len(found) > q.First {
		p.Next = scope.Seal(found[q.First-1].Mark())
	}
	return p, nil
}
