package request

import (
	"context"
	"errors"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// CommunityLeft cancels the requests of a user who left a community, some at a time.
func (s *Service) CommunityLeft(ctx context.Context, e communities.CommunityLeft, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, e.UserID, true, page.Query{First: closed, After: cursor})
	if err != nil {
		return "", 0, err
	}
	in := communities.CommunityRef{CommunityID: e.CommunityID, UserID: e.UserID}
	facts, err := s.Store.Facts(ctx, communities.Wanted{CommunityMembers: []communities.CommunityRef{in}})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if r.CommunityID == e.CommunityID && facts.CommunityMembers[in].Left(r.At) {
			if err := s.closing(ctx, r, communities.Cancelled, e.UserID); err != nil {
				return "", 0, err
			}
			rows++
		}
	}
	return p.Next, rows, nil
}

// ChatDeleted rejects the pending requests for a deleted chat, some at a time.
func (s *Service) ChatDeleted(ctx context.Context, e communities.ChatDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.For(ctx, e.ChatID, true, page.Query{First: closed})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if err := s.closing(ctx, r, communities.Rejected, e.By); err != nil {
			return "", 0, err
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), nil
}

// UserDeleted deletes the requests of a deleted user, some at a time.
func (s *Service) UserDeleted(ctx context.Context, e communities.UserDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	p, err := s.Store.Of(ctx, e.UserID, false, page.Query{First: closed})
	if err != nil {
		return "", 0, err
	}
	for _, r := range p.Items {
		if r.Status == communities.Pending {
			if err := s.closing(ctx, r, communities.Cancelled, e.UserID); err != nil {
				return "", 0, err
			}
		}
	}
	if p.Next != "" {
		next = "more"
	}
	return next, len(p.Items), s.Store.Forget(ctx, p.Items)
}

// closed is the number of requests closed at a time.
const closed = 25

// closing closes a pending request after its user or chat was deleted, without a
// notification. A concurrent decision is not an error.
func (s *Service) closing(ctx context.Context, r *communities.Request, to communities.RequestStatus, by communities.UserID) error {
	err := decision.Do(ctx, s.Frame, func(a *decision.Attempt) error {
		ended, err := r.Decided(to, by, s.Now())
		if err != nil {
			return err
		}
		return s.end(ctx, a, ended, nil, nil, communities.Notices{})
	})
	if errors.Is(err, communities.ErrDecided) || errors.Is(err, communities.ErrNoRequest) {
		return nil
	}
	return err
}
