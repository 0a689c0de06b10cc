// Package notification tells users what changes for them, while they listen.
//
// Nothing is kept for those who do not: a subscription starts with what is published
// after it.
package notification

import (
	"context"
	"encoding/json"
	"fmt"

	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Bus carries messages to present listeners. It closes the channel of a listener whose
// context ends or who does not keep up.
type Bus interface {
	Publish(ctx context.Context, subject string, data []byte) error
	Subscribe(ctx context.Context, subject string) (<-chan []byte, error)
}

// Service is the notify area. Its fields are set once.
type Service struct{ Bus Bus }

// Publish tells all open subscriptions of the notification's user.
func (s *Service) Publish(ctx context.Context, n social.Notification) error {
	data, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("notification: %w", err)
	}
	return s.Bus.Publish(ctx, subject(n.UserID), data)
}

// Subscribe returns what viewers are told from now on, which nobody else may hear. The
// channel is closed when ctx ends, and when its reader does not keep up.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error) {
	if userID != v.UserID {
		return nil, refusal.Forbiddenf("Cannot subscribe to notifications intended for another user")
	}
	ctx, cancel := context.WithCancel(ctx)
	messages, err := s.Bus.Subscribe(ctx, subject(userID))
	if err != nil {
		cancel()
		return nil, err
	}
	notifications := make(chan *social.Notification)
	go func() {
		defer cancel()
		defer close(notifications)
		for data := range messages {
			var n social.Notification
			if json.Unmarshal(data, &n) != nil {
				return
			}
			select {
			case notifications <- &n:
			case <-ctx.Done():
				return
			}
		}
	}()
	return notifications, nil
}

func subject(id social.UserID) string { return "notification/" + string(id) }

// PostMoved receives the event of its name: owners are told when a post of theirs is
// completed for the first time, not when it comes back from the archive.
func (s *Service) PostMoved(_ context.Context, e social.Event) ([]social.Notification, error) {
	first := e.PostFrom == "" || e.PostFrom == social.PostPending || e.PostFrom == social.PostProcessing
	if e.PostTo != social.PostCompleted || !first {
		return nil, nil
	}
	return []social.Notification{{UserID: e.UserID, Type: social.NotifyPostCompleted, PostID: &e.PostID}}, nil
}
