package chat

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Join makes the viewer a member of an open group chat. This accepts a pending request of
// theirs.
func (s *Service) Join(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenGroup, error) {
		p, err := s.at(ctx, v, id, v.UserID)
		if err != nil {
			return nil, err
		}
		if err := input.First(p.viewer.May(communities.JoinGroupChat), p.CheckJoin(p.inside != nil, p.member != nil)); err != nil {
			return nil, err
		}
		m := p.Joining(v.UserID, communities.OrdinaryMember, p.inside.Since(s.Now()))
		events := []outbox.Event{communities.ChatHappened{Chat: p.ChatRef, Type: communities.MemberJoined, UserID: v.UserID}}
		var accepted *communities.Request
		if g := p.guard; g != nil && g.RetryAfter.IsZero() {
			ref := communities.RequestRef{ChatID: id, UserID: v.UserID, Moment: g.Request}
			facts, err := s.Store.Facts(ctx, communities.Wanted{Requests: []communities.RequestRef{ref}})
			if err != nil {
				return nil, err
			}
			if facts.Requests[ref] == nil {
				return nil, refusal.ErrConcurrent
			}
			if accepted, err = facts.Requests[ref].Decided(communities.Accepted, v.UserID, s.Now()); err != nil {
				return nil, refusal.ErrConcurrent // joined a moment ago
			}
			events = append(events, communities.RequestChanged{Ref: ref})
		}
		if err := s.Store.Join(ctx, p.Chat, m, accepted, a.Emit(events...)...); err != nil {
			return nil, err
		}
		p.member = m
		p.NumMembers++
		return p.seen(), nil
	})
}

// Leave makes the viewer leave a group chat.
func (s *Service) Leave(ctx context.Context, v viewer.Viewer, id communities.ChatID) (*communities.SeenGroup, error) {
	return s.Remove(ctx, v, id, v.UserID)
}

// Remove removes a member from a group chat: the viewer, or, if the viewer administers it,
// any member.
func (s *Service) Remove(ctx context.Context, v viewer.Viewer, id communities.ChatID, member communities.UserID) (*communities.SeenGroup, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenGroup, error) {
		p, err := s.at(ctx, v, id, member)
		if err != nil {
			return nil, err
		}
		if member != v.UserID {
			if err := p.Ruled(p.viewer, p.community); err != nil {
				return nil, err
			}
		}
		if p.target == nil {
			return nil, communities.ErrNotMember
		}
		if p.Chat, err = s.end(ctx, a, p.Chat, p.target); err != nil {
			return nil, err
		}
		if member == v.UserID {
			p.member = nil
		}
		return p.seen(), nil
	})
}

// end removes a member and returns the chat after that. The last member's leaving deletes
// the chat.
func (s *Service) end(ctx context.Context, a *decision.Attempt, c *communities.Chat, m *communities.Member) (*communities.Chat, error) {
	after := *c
	after.NumMembers--
	var heir *communities.Member
	if m.UserID == c.OwnerID {
		members, err := s.Store.Members(ctx, c.ChatRef, page.Query{First: page.Max})
		if err != nil {
			return nil, err
		}
		var w communities.Wanted
		for _, other := range members.Items {
			w.Users = append(w.Users, other.UserID)
		}
		facts, err := s.Store.Facts(ctx, w)
		if err != nil {
			return nil, err
		}
		if heir = communities.Heir(members.Items, facts.Users, m.UserID); heir == nil {
			after.NumMembers = 0
			return &after, s.delete(ctx, a, c, m, m.UserID)
		}
		after.OwnerID, after.Version = heir.UserID, c.Version+1
	}
	left := communities.ChatHappened{Chat: c.ChatRef, Type: communities.MemberLeft, UserID: m.UserID}
	return &after, s.Store.Leave(ctx, c, m, heir, a.Emit(left)...)
}
