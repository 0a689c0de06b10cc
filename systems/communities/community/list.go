package community

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

type seenPage = page.Page[*communities.SeenCommunity]

// Community returns a community, or nil if it does not exist.
func (s *Service) Community(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error) {
	all, err := s.Known(ctx, v, []communities.CommunityID{id})
	return all[id], err
}

// Known returns those communities that exist.
func (s *Service) Known(ctx context.Context, v viewer.Viewer, ids []communities.CommunityID) (map[communities.CommunityID]*communities.SeenCommunity, error) {
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Communities: ids})
	if err != nil {
		return nil, err
	}
	seen := make(map[communities.CommunityID]*communities.SeenCommunity, len(ids))
	for id, c := range facts.Communities {
		seen[id] = c.SeenBy(self)
	}
	return seen, nil
}

// Inside reports of which communities the viewer is a member.
func (s *Service) Inside(ctx context.Context, v viewer.Viewer, ids []communities.CommunityID) (map[communities.CommunityID]bool, error) {
	w := communities.Wanted{}
	for _, id := range ids {
		w.CommunityMembers = append(w.CommunityMembers, communities.CommunityRef{CommunityID: id, UserID: v.UserID})
	}
	facts, err := s.Store.Facts(ctx, w)
	if err != nil {
		return nil, err
	}
	inside := map[communities.CommunityID]bool{}
	for ref := range facts.CommunityMembers {
		inside[ref.CommunityID] = true
	}
	return inside, nil
}

// ByName returns the community with a name, or nil.
func (s *Service) ByName(ctx context.Context, v viewer.Viewer, name string) (*communities.SeenCommunity, error) {
	folded := communities.Sought(name)
	facts, _, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{CommunityNames: []string{folded}})
	if err != nil || facts.CommunityNames[folded] == "" {
		return nil, err
	}
	return s.Community(ctx, v, facts.CommunityNames[folded])
}

// Find returns the communities of a place, of a topic, or of both.
func (s *Service) Find(ctx context.Context, v viewer.Viewer, near communities.Near, topic *communities.Topic, args page.Args) (seenPage, error) {
	self, err := communities.Admit(ctx, s.Store, v.UserID)
	if err != nil {
		return seenPage{}, err
	}
	if err := near.Check(topic); err != nil {
		return seenPage{}, err
	}
	place, about := near.Folded(), optional.Or(topic, "")
	list, err := page.ListOf(args, "communities.communities", v.UserID, place.Country, place.State, place.City, string(about))
	if err != nil {
		return seenPage{}, err
	}
	return page.Fill(list, func(q page.Query) (page.Page[*communities.Community], error) {
		if near.Country == nil {
			return s.Store.OfTopic(ctx, about, q)
		}
		return s.Store.InPlace(ctx, place, q)
	}, func(some []*communities.Community) (shown []*communities.SeenCommunity, err error) {
		for _, c := range some {
			if topic == nil || c.Topic == about {
				shown = append(shown, c.SeenBy(self))
			}
		}
		return shown, nil
	})
}

// Of returns a user's communities, for the named operation. Deleted ones are omitted.
func (s *Service) Of(ctx context.Context, v viewer.Viewer, operation string, id communities.UserID, args page.Args) (seenPage, error) {
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Users: []communities.UserID{id}})
	if err != nil {
		return seenPage{}, err
	}
	if !facts.Users[id].Lives() {
		return seenPage{}, communities.ErrNoUser
	}
	list, err := page.ListOf(args, "communities."+operation, v.UserID, string(id))
	if err != nil {
		return seenPage{}, err
	}
	return page.Fill(list, page.Of(ctx, s.Store.Memberships, id), func(some []*communities.CommunityMember) (shown []*communities.SeenCommunity, err error) {
		ids := slice.Map(some, func(m *communities.CommunityMember) communities.CommunityID { return m.CommunityID })
		facts, err := s.Store.Facts(ctx, communities.Wanted{Communities: ids})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if c := facts.Communities[id]; c != nil {
				shown = append(shown, c.SeenBy(self))
			}
		}
		return shown, nil
	})
}

// Members returns the members of a community, for the named operation or field. Members
// whose user is gone are omitted.
func (s *Service) Members(
	ctx context.Context,
	v viewer.Viewer,
	operation string,
	id communities.CommunityID,
	args page.Args,
) (page.Page[*communities.SeenCommunityMember], error) {
	none := page.Page[*communities.SeenCommunityMember]{}
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Communities: []communities.CommunityID{id}})
	switch {
	case err != nil:
		return none, err
	case facts.Communities[id] == nil:
		return none, communities.ErrNoCommunity
	}
	list, err := page.ListOf(args, "communities."+operation, v.UserID, string(id))
	if err != nil {
		return none, err
	}
	return page.Fill(list, page.Of(ctx, s.Store.Members, id), func(some []*communities.CommunityMember) ([]*communities.SeenCommunityMember, error) {
		return communities.WithUsers(ctx, s.Store, some, userOf, func(m *communities.CommunityMember, u *communities.User) *communities.SeenCommunityMember {
			return m.SeenWith(u.SeenBy(self, s.Now()))
		})
	})
}

func userOf(m *communities.CommunityMember) communities.UserID { return m.UserID }

// cleaned is the number of memberships removed at a time.
const cleaned = 25

// UserDeleted makes a deleted user leave their communities, some at a time. It can be
// repeated.
func (s *Service) UserDeleted(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Memberships(ctx, e.UserID, page.Query{First: cleaned})
	if err != nil {
		return "", 0, err
	}
	for _, m := range p.Items {
		err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
			facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{m.CommunityRef}})
			if err != nil || facts.CommunityMembers[m.CommunityRef] == nil {
				return err
			}
			return s.end(ctx, a, facts.CommunityMembers[m.CommunityRef])
		})
		if refusal.KindOf(err) == refusal.NotFound { // deleted with the community
			err = s.Store.Forget(ctx, []communities.CommunityRef{m.CommunityRef})
		}
		if err != nil {
			return "", 0, err
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), nil
}

// CommunityDeleted deletes the memberships of a deleted community, some at a time.
func (s *Service) CommunityDeleted(ctx context.Context, e communities.CommunityDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Members(ctx, e.CommunityID, page.Query{First: cleaned})
	if err != nil {
		return "", 0, err
	}
	refs := slice.Map(p.Items, func(m *communities.CommunityMember) communities.CommunityRef { return m.CommunityRef })
	if p.Next != "" {
		next = "more"
	}
	return next, len(refs), s.Store.Forget(ctx, refs)
}
