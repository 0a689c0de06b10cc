package request

import (
	"context"

	"stoa/internal/kit/retry"
	"stoa/internal/kit/viewer"
	"stoa/systems/communities"
)

// Accept accepts a request, which makes the requester a member.
func (s *Service) Accept(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	first := true
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		// The transaction requires that the requester is in the community. It is read only
		// to explain a failure.
		inside := true
		if !first {
			in := communities.CommunityRef{CommunityID: f.CommunityID, UserID: f.UserID}
			facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}})
			if err != nil {
				return nil, err
			}
			inside = facts.CommunityMembers[in] != nil
		}
		first = false
		if err := f.chat.Admits(inside, f.requester != nil); err != nil {
			return nil, err
		}
		r, err := f.Decided(communities.Accepted, v.UserID, s.now())
		if err != nil {
			return nil, err
		}
		m := f.chat.Joining(r.UserID, communities.PlainGuest, communities.Later(r.DecidedAt, r.At))
		n := communities.OfDecision(r, f.chat).After(f.last.LastAt)
		records := s.Events.New(ctx, communities.RequestChanged{Ref: r.Ref(), Notified: &n.NotificationRef},
			communities.ChatHappened{Chat: f.chat.ChatRef, Type: communities.MemberJoined, UserID: r.UserID})
		if err := s.Store.Accept(ctx, r, f.chat, m, n, f.last, records...); err != nil {
			return nil, err
		}
		s.Events.Committed(ctx, records...)
		return f.seen(r), nil
	})
}

// Reject rejects a request. The requester must wait before asking again.
func (s *Service) Reject(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return retry.OnConflict(func() (*communities.SeenRequest, error) {
		f, err := s.forDecision(ctx, v, id)
		if err != nil {
			return nil, err
		}
		r, err := f.Decided(communities.Rejected, v.UserID, s.now())
		if err != nil {
			return nil, err
		}
		return f.seen(r), s.end(ctx, r, r.CooldownGuard(), communities.OfDecision(r, f.chat).After(f.last.LastAt), f.last)
	})
}

// forDecision reads a pending request for a viewer who decides on it.
func (s *Service) forDecision(ctx context.Context, v viewer.Viewer, id string) (*file, error) {
	f, err := s.open(ctx, v, id)
	switch {
	case err != nil:
		return nil, err
	case !f.decides:
		return nil, communities.ErrPermission
	case f.Status != communities.Pending:
		return nil, communities.ErrDecided
	case f.chat == nil: // the request is about to be rejected
		return nil, communities.ErrNoChat
	}
	return f, nil
}
