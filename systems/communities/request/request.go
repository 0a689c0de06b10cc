// Package request manages requests to join closed group chats. The owner of the chat, the
// founder of its community and administrators accept or reject them.
//
// Each request is decided once. A concurrent decision by another decider, by the requester
// or by the removal of the chat finds it decided.
package request

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/input"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Store stores requests. Changes fail with Conflict if something has changed since it
// was read, and decisions with ErrDecided.
type Store interface {
	communities.Reader
	Create(
		ctx context.Context,
		r *communities.Request,
		c *communities.Chat,
		old *communities.Guard,
		n *communities.Notification,
		last communities.Notices,
		events ...outbox.Record,
	) error
	Accept(
		ctx context.Context,
		r *communities.Request,
		c *communities.Chat,
		m *communities.Member,
		n *communities.Notification,
		last communities.Notices,
		events ...outbox.Record,
	) error
	// End stores a rejection, with a guard, or a cancellation, with a nil guard.
	End(
		ctx context.Context,
		r *communities.Request,
		guard *communities.Guard,
		n *communities.Notification,
		last communities.Notices,
		events ...outbox.Record,
	) error
	See(ctx context.Context, r *communities.Request, events ...outbox.Record) error
	Forget(ctx context.Context, requests []*communities.Request) error
	Of(ctx context.Context, id communities.UserID, pending bool, q page.Query) (page.Page[*communities.Request], error)
	For(ctx context.Context, id communities.ChatID, pending bool, q page.Query) (page.Page[*communities.Request], error)
}

// Service implements the request area. Its fields are set once.
type Service struct {
	decision.Frame
	Store Store
	Bus   outbox.Bus
}

// Ask creates a request of the viewer to join a chat.
func (s *Service) Ask(ctx context.Context, v viewer.Viewer, id communities.ChatID, note *string) (*communities.SeenRequest, error) {
	requestID := s.NewID()
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenRequest, error) {
		chat, own := communities.GroupRef(id), communities.MemberRef{Chat: communities.GroupRef(id), UserID: v.UserID}
		facts, self, err := communities.Ask(ctx, s.Store, v.UserID, communities.Wanted{
			Chats: []communities.ChatRef{chat}, Members: []communities.MemberRef{own}, Guards: []communities.MemberRef{own},
		})
		if err != nil {
			return nil, err
		}
		c := facts.Chats[chat]
		if c == nil {
			return nil, communities.ErrNoChat
		}
		if err := input.First(self.May(communities.JoinGroupChat), communities.CheckNote(note)); err != nil {
			return nil, err
		}
		in := communities.CommunityRef{CommunityID: c.CommunityID, UserID: v.UserID}
		more, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}, Notices: []communities.UserID{c.OwnerID}})
		if err != nil {
			return nil, err
		}
		now, guard := s.Now(), facts.Guards[own]
		member := more.CommunityMembers[in]
		if err := input.First(c.CheckRequest(member != nil, facts.Members[own] != nil), guard.Allows(now)); err != nil {
			return nil, err
		}
		r := &communities.Request{
			Moment: communities.Moment{At: member.Since(now), ID: requestID}, ChatID: id, UserID: v.UserID, CommunityID: c.CommunityID,
			Status: communities.Pending, Note: note,
		}
		last := more.Notices[c.OwnerID]
		n := communities.OfRequest(r, c, self.User).After(last.LastAt)
		made := a.Emit(communities.RequestChanged{Ref: r.Ref(), Notified: &n.NotificationRef})
		return r.SeenBy(v.UserID, false, false), s.Store.Create(ctx, r, c, guard, n, last, made...)
	})
}

// Cancel cancels a request of the viewer.
func (s *Service) Cancel(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenRequest, error) {
		o, err := s.open(ctx, v, id)
		switch {
		case err != nil:
			return nil, err
		case o.UserID != v.UserID:
			return nil, communities.ErrNoRequest
		}
		r, err := o.Decided(communities.Cancelled, v.UserID, s.Now())
		if err != nil {
			return nil, err
		}
		return o.seen(r), s.end(ctx, a, r, nil, nil, communities.Notices{})
	})
}

// See records that a viewer who decides on a request has seen it.
func (s *Service) See(ctx context.Context, v viewer.Viewer, id string) (*communities.SeenRequest, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*communities.SeenRequest, error) {
		o, err := s.open(ctx, v, id)
		switch {
		case err != nil:
			return nil, err
		case !o.decides:
			return nil, communities.ErrPermission
		case o.Seen:
			return o.seen(o.Request), nil
		}
		seen := *o.Request
		seen.Seen = true
		return o.seen(&seen), s.Store.See(ctx, o.Request, a.Emit(communities.RequestChanged{Ref: o.Ref()})...)
	})
}

func (s *Service) end(
	ctx context.Context, a *decision.Attempt, r *communities.Request, guard *communities.Guard, n *communities.Notification, last communities.Notices,
) error {
	e := communities.RequestChanged{Ref: r.Ref()}
	if n != nil {
		e.Notified = &n.NotificationRef
	}
	return s.Store.End(ctx, r, guard, n, last, a.Emit(e)...)
}
