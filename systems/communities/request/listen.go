package request

import (
	"context"

	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/communities"
)

// Listen returns a channel of changed requests: the viewer's own, or, with a chat, those
// for it, to viewers who decide. It is closed when ctx ends, when the viewer no longer
// decides, and when its reader falls behind.
func (s *Service) Listen(ctx context.Context, v viewer.Viewer, id *communities.ChatID) (<-chan *communities.SeenRequest, error) {
	subject := communities.RequestsBy(v.UserID)
	if id != nil {
		subject = communities.RequestsFor(*id)
	}
	admit := func(ctx context.Context) error {
		if id != nil {
			_, _, err := s.mayList(ctx, v, *id, false)
			return err
		}
		_, err := communities.Admit(ctx, s.Store, v.UserID)
		return err
	}
	return outbox.Follow(ctx, s.Bus, subject, s.Now(), admit, func(ctx context.Context, n *communities.RequestNews) (*communities.SeenRequest, bool, error) {
		o, err := s.open(ctx, v, n.Ref.Opaque())
		if err == communities.ErrNoRequest && id == nil {
			return nil, false, nil // gone with its user
		}
		if err != nil || id != nil && !o.decides {
			return nil, true, err
		}
		return o.seen(o.Request), false, nil
	})
}

// RequestChanged publishes a change to the requester and to those who decide, and the
// notification, if any, to its user.
func (s *Service) RequestChanged(_ context.Context, e communities.RequestChanged, tell outbox.Tell) error {
	tell(communities.RequestNews{Ref: e.Ref}, communities.RequestNews{Ref: e.Ref, ToDecider: true})
	if e.Notified != nil {
		tell(communities.Notified{Ref: *e.Notified})
	}
	return nil
}
