// Package community manages communities: their location and topic, their members, and who
// administers them.
//
// A user who leaves a community also leaves its group chats, when the event is received.
package community

import (
	"context"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores communities. Changes fail with Conflict if something has changed since
// it was read.
type Store interface {
	communities.Reader
	// Create and Update fail with ErrNameTaken and ErrNameLooks.
	Create(ctx context.Context, c *communities.Community, events ...outbox.Record) error
	Update(ctx context.Context, before, after *communities.Community) error
	// Transfer fails with ErrNotMember, Delete with ErrHasChats.
	Transfer(ctx context.Context, c *communities.Community, to communities.UserID) error
	Delete(ctx context.Context, c *communities.Community, events ...outbox.Record) error
	Forget(ctx context.Context, members []communities.CommunityRef) error
	// Join fails with ErrMember, and Join and Leave with ErrNoCommunity.
	Join(ctx context.Context, m *communities.CommunityMember) error
	Leave(ctx context.Context, m *communities.CommunityMember, events ...outbox.Record) error

	InPlace(ctx context.Context, l communities.Location, q page.Query) (page.Page[*communities.Community], error)
	OfTopic(ctx context.Context, t communities.Topic, q page.Query) (page.Page[*communities.Community], error)
	Members(ctx context.Context, id communities.CommunityID, q page.Query) (page.Page[*communities.CommunityMember], error)
	Memberships(ctx context.Context, id communities.UserID, q page.Query) (page.Page[*communities.CommunityMember], error)
}

// Service implements the community area. Its fields are set once.
type Service struct {
	decision.Frame
	Store Store
}

// check normalizes and checks a community that was another before, nil for a new one. A name
// that remains is not checked again: it may be older than the rules.
func check(before, c *communities.Community) error {
	c.Name, c.Description, c.Location = strings.TrimSpace(c.Name), strings.TrimSpace(c.Description), c.Location.Trimmed()
	var name error
	if before == nil || c.Name != before.Name {
		name = communities.CheckCommunityName(c.Name)
	}
	return input.First(
		name, communities.CheckDescription(c.Description), c.Location.Check(),
		communities.CheckURL(c.AvatarURL), communities.CheckURL(c.CoverPhotoURL))
}

// Create creates a community with the viewer as founder, and notifies users in its city.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, p communities.CommunityPlan) (*communities.SeenCommunity, error) {
	id := communities.CommunityID(s.NewID())
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenCommunity, error) {
		name := communities.Fold(p.Name)
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{CommunityNames: []string{name}})
		if err != nil {
			return nil, err
		}
		if err := self.May(communities.CreateCommunity); err != nil {
			return nil, err
		}
		c := &communities.Community{
			ID: id, Name: p.Name, Description: p.Description, Topic: p.Topic, Location: p.Location, AvatarURL: p.AvatarURL,
			CoverPhotoURL: p.CoverPhotoURL, CreatedAt: s.Now(), FounderID: self.ID, MemberCount: 1, Version: 1,
		}
		if err := check(nil, c); err != nil {
			return nil, err
		}
		if facts.CommunityNames[name] != "" {
			return nil, communities.ErrNameTaken
		}
		founded := communities.CommunityFounded{CommunityID: c.ID, FounderID: c.FounderID, Name: c.Name, Place: c.Location.Folded(), At: c.CreatedAt}
		return c.SeenBy(self), s.Store.Create(ctx, c, a.Emit(founded)...)
	})
}

// ruled reads a community for a viewer who administers it, or returns an error.
func (s *Service) ruled(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.Community, communities.Viewer, error) {
	facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{Communities: []communities.CommunityID{id}})
	if err != nil {
		return nil, self, err
	}
	c := facts.Communities[id]
	if c == nil {
		return nil, self, communities.ErrNoCommunity
	}
	return c, self, c.Ruled(self)
}

// Update changes a community.
func (s *Service) Update(
	ctx context.Context,
	v viewer.Viewer,
	id communities.CommunityID,
	change communities.CommunityChange,
) (*communities.SeenCommunity, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenCommunity, error) {
		before, self, err := s.ruled(ctx, v, id)
		if err != nil {
			return nil, err
		}
		c := *before
		if err := input.First(
			change.Name.Required(&c.Name, "name"), change.Description.Required(&c.Description, "description"),
			change.Topic.Required(&c.Topic, "topic"), change.Location.Required(&c.Location, "location")); err != nil {
			return nil, err
		}
		change.AvatarURL.Nullable(&c.AvatarURL)
		change.CoverPhotoURL.Nullable(&c.CoverPhotoURL)
		if err := check(before, &c); err != nil {
			return nil, err
		}
		if err := input.CheckVersion(change.Expected, before.Version); err != nil {
			return nil, err
		}
		c.Version++
		return c.SeenBy(self), s.Store.Update(ctx, before, &c)
	})
}

// Delete deletes a community without group chats.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id communities.CommunityID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		c, _, err := s.ruled(ctx, v, id)
		if err != nil {
			return err
		}
		if c.ChatCount > 0 {
			return communities.ErrHasChats
		}
		return s.Store.Delete(ctx, c, a.Emit(communities.CommunityDeleted{CommunityID: id})...)
	})
}

// Transfer makes another member the founder.
func (s *Service) Transfer(ctx context.Context, v viewer.Viewer, id communities.CommunityID, to communities.UserID) (*communities.SeenCommunity, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenCommunity, error) {
		c, self, err := s.ruled(ctx, v, id)
		if err != nil {
			return nil, err
		}
		if to == c.FounderID {
			return c.SeenBy(self), nil
		}
		after := *c
		after.FounderID, after.Version = to, c.Version+1
		return after.SeenBy(self), s.Store.Transfer(ctx, c, to)
	})
}

// Join makes the viewer a member.
func (s *Service) Join(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenCommunity, error) {
		ref := communities.CommunityRef{CommunityID: id, UserID: v.UserID}
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
			Communities: []communities.CommunityID{id}, CommunityMembers: []communities.CommunityRef{ref},
		})
		if err != nil {
			return nil, err
		}
		c := facts.Communities[id]
		switch {
		case c == nil:
			return nil, communities.ErrNoCommunity
		case self.May(communities.JoinCommunity) != nil:
			return nil, self.May(communities.JoinCommunity)
		case facts.CommunityMembers[ref] != nil:
			return nil, communities.ErrMember
		}
		c.MemberCount++
		return c.SeenBy(self), s.Store.Join(ctx, &communities.CommunityMember{CommunityRef: ref, JoinedAt: s.Now()})
	})
}

// Leave makes the viewer leave a community.
func (s *Service) Leave(ctx context.Context, v viewer.Viewer, id communities.CommunityID) (*communities.SeenCommunity, error) {
	return s.remove(ctx, v, communities.CommunityRef{CommunityID: id, UserID: v.UserID})
}

// Remove removes a member from a community that the viewer administers.
func (s *Service) Remove(ctx context.Context, v viewer.Viewer, id communities.CommunityID, member communities.UserID) (*communities.SeenCommunity, error) {
	return s.remove(ctx, v, communities.CommunityRef{CommunityID: id, UserID: member})
}

func (s *Service) remove(ctx context.Context, v viewer.Viewer, ref communities.CommunityRef) (*communities.SeenCommunity, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenCommunity, error) {
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
			Communities: []communities.CommunityID{ref.CommunityID}, CommunityMembers: []communities.CommunityRef{ref},
		})
		if err != nil {
			return nil, err
		}
		c := facts.Communities[ref.CommunityID]
		if c == nil {
			return nil, communities.ErrNoCommunity
		}
		if ref.UserID != self.ID {
			if err := c.Ruled(self); err != nil {
				return nil, err
			}
		}
		member := facts.CommunityMembers[ref]
		if member == nil {
			return nil, communities.ErrNotMember
		}
		c.MemberCount--
		return c.SeenBy(self), s.end(ctx, a, member)
	})
}

// end removes a membership. It refuses the founder's.
func (s *Service) end(ctx context.Context, a *decision.Attempt, m *communities.CommunityMember) error {
	if m.IsFounder {
		return communities.ErrFounderLeaves
	}
	return s.Store.Leave(ctx, m, a.Emit(communities.CommunityLeft{CommunityID: m.CommunityID, UserID: m.UserID})...)
}
