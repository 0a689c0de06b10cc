// Package chat manages chats: creating, joining, leaving and administering them.
//
// Users may join an open group chat freely; package request decides who joins a closed one.
// A private chat of two users is created once and never deleted.
package chat

import (
	"context"
	"strings"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores chats. Changes fail with Conflict if something has changed since it was
// read.
type Store interface {
	communities.Reader
	// Create fails with ErrNotInside.
	Create(ctx context.Context, c *communities.Chat, owner *communities.Member) error
	// Update fails with ErrCapacityTooLow.
	Update(ctx context.Context, before, after *communities.Chat) error
	Delete(ctx context.Context, c *communities.Chat, last *communities.Member, events ...outbox.Record) error
	// Join also accepts the user's pending request, nil if there is none.
	Join(ctx context.Context, c *communities.Chat, m *communities.Member, accepted *communities.Request, events ...outbox.Record) error
	// Leave makes heir the owner if the owner leaves.
	Leave(ctx context.Context, c *communities.Chat, m, heir *communities.Member, events ...outbox.Record) error
	// Transfer fails with ErrNotMember.
	Transfer(ctx context.Context, c *communities.Chat, to communities.UserID) error
	Forget(ctx context.Context, id communities.ChatID) (rows int, more bool, err error)
	ForgetPrivate(ctx context.Context, id communities.ChatID) (rows int, more bool, err error)
	Open(ctx context.Context, c *communities.Chat, members []*communities.Member) error
	Hide(ctx context.Context, c *communities.Chat, m *communities.Member, before time.Time) error
	Mute(ctx context.Context, m communities.MemberRef, muted bool) error
	Members(ctx context.Context, c communities.ChatRef, q page.Query) (page.Page[*communities.Member], error)
	Of(ctx context.Context, t communities.ChatType, id communities.UserID, q page.Query) (page.Page[*communities.Member], error)
}

// Pointers reads the group chats of communities.
type Pointers interface {
	Chats(ctx context.Context, id communities.CommunityID, q page.Query) (page.Page[communities.ChatID], error)
}

// Service implements the chat area. Its fields are set once.
type Service struct {
	decision.Frame
	Store    Store
	Pointers Pointers
	// Capacity is the maximum capacity of a group chat.
	Capacity int
}

// Create creates a group chat with the viewer as owner.
func (s *Service) Create(ctx context.Context, v viewer.Viewer, in communities.CommunityID, plan communities.ChatPlan) (*communities.SeenGroup, error) {
	id := communities.ChatID(s.NewID())
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenGroup, error) {
		ref := communities.CommunityRef{CommunityID: in, UserID: v.UserID}
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
			Communities: []communities.CommunityID{in}, CommunityMembers: []communities.CommunityRef{ref},
		})
		switch {
		case err != nil:
			return nil, err
		case facts.Communities[in] == nil:
			return nil, communities.ErrNoCommunity
		case facts.CommunityMembers[ref] == nil:
			return nil, communities.ErrNotInside
		}
		if err := self.May(communities.CreateGroupChat); err != nil {
			return nil, err
		}
		c := &communities.Chat{
			ChatRef: communities.GroupRef(id), CreatedAt: facts.CommunityMembers[ref].Since(s.Now()), CommunityID: in, Name: plan.Name, Description: plan.Description,
			Closed: plan.Closed, Capacity: s.Capacity, NumMembers: 1, OwnerID: self.ID, Version: 1,
		}
		if plan.Capacity != nil {
			c.Capacity = *plan.Capacity
		}
		if err := input.First(s.name(nil, c), communities.CheckCapacity(c.Capacity, s.Capacity)); err != nil {
			return nil, err
		}
		owner := c.Joining(self.ID, communities.Owner, c.CreatedAt)
		return c.GroupSeenBy(self, owner), s.Store.Create(ctx, c, owner)
	})
}

// Update changes a group chat.
func (s *Service) Update(ctx context.Context, v viewer.Viewer, id communities.ChatID, change communities.ChatChange) (*communities.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenGroup, error) {
		p, err := s.ruled(ctx, v, id, v.UserID)
		if err != nil {
			return nil, err
		}
		c := *p.Chat
		if err := input.First(
			change.Name.Required(&c.Name, "name"), change.Description.Required(&c.Description, "description"),
			change.Closed.Required(&c.Closed, "private"), change.Capacity.Required(&c.Capacity, "capacity")); err != nil {
			return nil, err
		}
		if err := input.First(s.name(p.Chat, &c), s.resized(change.Capacity, c.Capacity)); err != nil {
			return nil, err
		}
		if err := input.CheckVersion(change.Expected, p.Version); err != nil {
			return nil, err
		}
		if c.Capacity < p.NumMembers {
			return nil, communities.ErrCapacityTooLow
		}
		if err := s.Store.Update(ctx, p.Chat, &c); err != nil {
			return nil, err
		}
		c.Version++
		p.Chat = &c
		return p.seen(), nil
	})
}

// name normalizes and checks the name and description of a chat that was another before, nil
// for a new one. A name that remains is not checked again: it may be older than the rules.
func (s *Service) name(before, c *communities.Chat) error {
	c.Name, c.Description = strings.TrimSpace(c.Name), strings.TrimSpace(c.Description)
	var name error
	if before == nil || c.Name != before.Name {
		name = communities.CheckChatName(c.Name)
	}
	return input.First(name, communities.CheckChatDescription(c.Description))
}

// resized checks a new capacity. An unchanged one may exceed the maximum if that was
// lowered since.
func (s *Service) resized(edit input.Edit[int], capacity int) error {
	if !edit.Given {
		return nil
	}
	return communities.CheckCapacity(capacity, s.Capacity)
}

// Delete deletes a group chat at once. What belongs to it is removed when the event is
// received.
func (s *Service) Delete(ctx context.Context, v viewer.Viewer, id communities.ChatID) error {
	return decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		p, err := s.ruled(ctx, v, id, v.UserID)
		if err != nil {
			return err
		}
		return s.delete(ctx, a, p.Chat, nil, v.UserID)
	})
}

func (s *Service) delete(ctx context.Context, a *decision.Attempt, c *communities.Chat, last *communities.Member, by communities.UserID) error {
	return s.Store.Delete(ctx, c, last, a.Emit(communities.ChatDeleted{ChatID: c.ID, At: s.Now(), By: by})...)
}

// Transfer makes another member the owner.
func (s *Service) Transfer(ctx context.Context, v viewer.Viewer, id communities.ChatID, to communities.UserID) (*communities.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*communities.SeenGroup, error) {
		p, err := s.ruled(ctx, v, id, to)
		switch {
		case err != nil:
			return nil, err
		case p.target == nil:
			return nil, communities.ErrNotMember
		case to == p.OwnerID:
			return p.seen(), nil
		}
		if err := s.Store.Transfer(ctx, p.Chat, to); err != nil {
			return nil, err
		}
		p.OwnerID, p.Version = to, p.Version+1
		return p.seen(), nil
	})
}
