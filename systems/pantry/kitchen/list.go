package kitchen

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/internal/kit/viewer"
	"stoa/systems/pantry"
)

// InGroup returns the containers of a group of the viewer.
func (s *Service) InGroup(ctx context.Context, v viewer.Viewer, id pantry.GroupID, list page.Args) (page.Page[*pantry.SeenContainer], error) {
	g, err := pantry.Admit(ctx, s.Store, v.UserID, id)
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
	now := s.Now()
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

// readTogether is the number of containers read at a time. They have at most 10 MB.
const readTogether = 25

// read reads containers, some at a time, until there are no more or use returns false. It
// returns the number of containers read.
func (s *Service) read(ctx context.Context, v viewer.Viewer, all []placed, use func([]*pantry.SeenContainer) bool) (n int, err error) {
	for goOn := true; goOn && n < len(all); {
		some := all[n:min(n+readTogether, len(all))]
		in, err := s.show(ctx, v, some)
		if err != nil {
			return 0, err
		}
		n += len(some)
		goOn = use(in)
	}
	return n, nil
}

// scope returns the groups in which the viewer searches, sorted: one, or all of theirs if
// group is nil.
func (s *Service) scope(ctx context.Context, v viewer.Viewer, group *pantry.GroupID) ([]pantry.GroupID, error) {
	if group != nil {
		_, err := pantry.Admit(ctx, s.Store, v.UserID, *group)
		return []pantry.GroupID{*group}, err
	}
	self, err := pantry.SelfOf(ctx, s.Users, v.UserID)
	return self.GroupIDs, err
}

// Expiring returns the foods that expire in a group, or in all the viewer's groups if group
// is nil, soonest first. As any container may have the next one, all are read for each page,
// but only the foods of the page are kept.
func (s *Service) Expiring(
	ctx context.Context, v viewer.Viewer, group *pantry.GroupID, e pantry.Expiring, list page.Args,
) (p page.Page[*pantry.Found], err error) {
	groups, err := s.scope(ctx, v, group)
	if err != nil {
		return p, err
	}
	tokens := page.ScopeOf("expiringFoods", string(v.UserID), deref(group), strconv.Itoa(e.WithinDays), strconv.FormatBool(e.IncludeExpired))
	q, err := tokens.Query(list)
	if err := errors.Join(e.Check(), err); err != nil {
		return p, err
	}
	all, err := s.inGroups(ctx, groups)
	if err != nil {
		return p, err
	}
	var next pantry.FoundList
	var bad error
	now := s.Now()
	_, err = s.read(ctx, v, all, func(in []*pantry.SeenContainer) bool {
		var found pantry.FoundList
		found, bad = e.In(in, now).After(q.After)
		next = next.With(found, q.First+1)
		return bad == nil
	})
	switch {
	case err != nil:
		return p, err
	case bad != nil:
		return p, page.ErrToken
	}
	var more bool
	if p.Items, more = next.First(q.First); more {
		p.Next = tokens.Seal(p.Items[q.First-1].Mark())
	}
	return p, nil
}

// searched is how many foods a request searches: it reads no further containers once it has
// read as many, and the next page goes on from there. Most users have fewer altogether. A
// container counts as some, so that the number of empty ones is limited as well.
const (
	searched      = 10_000
	foodsPerEmpty = 20
)

// Search returns the foods whose names contain a text in a group, or in all the viewer's
// groups if group is nil. What one request searches is sorted by name; a page may be short
// and not be the last.
func (s *Service) Search(ctx context.Context, v viewer.Viewer, group *pantry.GroupID, text string, list page.Args) (p page.Page[*pantry.Found], err error) {
	groups, err := s.scope(ctx, v, group)
	if err != nil {
		return p, err
	}
	tokens := page.ScopeOf("pantry.searchFoods", string(v.UserID), deref(group), text)
	q, err := tokens.Query(list)
	if err := errors.Join(pantry.CheckSearch(text), err); err != nil {
		return p, err
	}
	at, ok := windowOf(q.After)
	if !ok {
		return p, page.ErrToken
	}
	from, _ := slices.BinarySearch(groups, at.from.group)
	all, err := s.inGroups(ctx, groups[from:])
	if err != nil {
		return p, err
	}
	some, rest := at.of(all)
	var in []*pantry.SeenContainer
	foods := 0
	n, err := s.read(ctx, v, some, func(more []*pantry.SeenContainer) bool {
		in = append(in, more...)
		for _, c := range more {
			foods += foodsPerEmpty + c.FoodCount()
		}
		return foods < searched
	})
	if err != nil {
		return p, err
	}
	found, err := pantry.Search(in, text).After(at.mark)
	if err != nil {
		return p, page.ErrToken
	}
	if n > 0 {
		at.to = some[n-1]
	}
	items, more := found.First(q.First)
	p.Items = items
	switch {
	case more:
		p.Next = tokens.Seal(window{at.from, at.to, items[q.First-1].Mark()}.String())
	case n < len(some) || len(rest) > 0:
		p.Next = tokens.Seal(window{from: at.to}.String())
	}
	return p, nil
}

// window is the position of a page of a search: after mark in the foods of the containers
// after from, up to to. In a window that has not been searched yet, to and mark are zero.
type window struct {
	from, to placed
	mark     string
}

func (w window) String() string {
	return strings.Join([]string{string(w.from.group), string(w.from.id), string(w.to.group), string(w.to.id), w.mark}, " ")
}

// windowOf returns the window with a text; "" is the first one.
func windowOf(text string) (w window, ok bool) {
	if text == "" {
		return window{}, true
	}
	parts := strings.SplitN(text, " ", 5)
	if len(parts) != 5 {
		return window{}, false
	}
	from, to := placed{pantry.GroupID(parts[0]), pantry.ContainerID(parts[1])}, placed{pantry.GroupID(parts[2]), pantry.ContainerID(parts[3])}
	return window{from, to, parts[4]}, true
}

// of returns the containers in the window and those after it. As a window that was searched
// ends where it ended then, containers added meanwhile may repeat foods of the next one, but
// none are left out.
func (w window) of(all []placed) (in, after []placed) {
	from, found := slices.BinarySearchFunc(all, w.from, placed.compare)
	if found {
		from++
	}
	if w.to == (placed{}) {
		return all[from:], nil
	}
	to, found := slices.BinarySearchFunc(all, w.to, placed.compare)
	if found {
		to++
	}
	return all[from:max(from, to)], all[max(from, to):]
}

func (p placed) compare(other placed) int {
	return cmp.Or(cmp.Compare(p.group, other.group), cmp.Compare(p.id, other.id))
}

func deref(group *pantry.GroupID) string {
	if group == nil {
		return ""
	}
	return "group " + string(*group)
}
