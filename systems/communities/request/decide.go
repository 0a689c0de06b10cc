package request

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Accept accepts a request, which makes the requester a member.
func (s *Service) Accept(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	first := true
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenRequest, error) {
		o, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		// The transaction requires that the requester is in the community. It is read only
		// to explain a failure.
		inside := true
		if !first {
			in := communities.CommunityRef{CommunityID: o.CommunityID, UserID: o.UserID}
			facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}})
			if err != nil {
				return nil, err
			}
			inside = facts.CommunityMembers[in] != nil
		}
		first = false
		if err := o.chat.CheckAcceptance(inside, o.requester != nil); err != nil {
			return nil, err
		}
		r, err := o.Decided(communities.Accepted, v.UserID, s.Now())
		if err != nil {
			return nil, err
		}
		m := o.chat.Joining(r.UserID, communities.OrdinaryMember, communities.Later(r.DecidedAt, r.At))
		n := communities.OfDecision(r, o.chat).After(o.last.LastAt)
		accepted := a.Emit(communities.RequestChanged{Ref: r.Ref(), Notified: &n.NotificationRef},
			communities.ChatHappened{Chat: o.chat.ChatRef, Type: communities.MemberJoined, UserID: r.UserID})
		return o.seen(r), s.Store.Accept(ctx, r, o.chat, m, n, o.last, accepted...)
	})
}

// Reject rejects a request. The requester must wait before asking again.
func (s *Service) Reject(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenRequest, error) {
		o, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		r, err := o.Decided(communities.Rejected, v.UserID, s.Now())
		if err != nil {
			return nil, err
		}
		return o.seen(r), s.end(ctx, a, r, r.CooldownGuard(), communities.OfDecision(r, o.chat).After(o.last.LastAt), o.last)
	})
}

// forDecision reads a pending request for a viewer who decides on it.
func (s *Service) forDecision(ctx context.Context, v viewer.Viewer, id string) (*opened, error) {
	o, err := s.open(ctx, v, id)
	switch {
	case err != nil:
		return nil, err
	case !o.decides:
		return nil, communities.ErrPermission
	case o.Status != communities.Pending:
		return nil, communities.ErrDecided
	case o.chat == nil: // the request is about to be rejected
		return nil, communities.ErrNoChat
	}
	return o, nil
}
