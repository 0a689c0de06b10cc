// Package notification tells users what changes for them, while they listen.
//
// Nothing is kept for those who do not: a subscription starts with what is published
// after it.
package notification

import (
	"context"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// Service is the notification area. Its fields are set once.
type Service struct {
	Bus outbox.Bus
	Now func() time.Time
}

// Subscribe returns what viewers are told of what happens from now on, which nobody else
// may hear. The channel is closed when ctx ends, and when its reader does not keep up.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error) {
	if err := own(v, userID); err != nil {
		return nil, err
	}
	return outbox.Listen[social.Notification](ctx, s.Bus, social.NotificationSubject(userID), s.Now())
}

// OfPosts is Subscribe for what older apps are told of viewers' posts.
func (s *Service) OfPosts(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.PostNotification, error) {
	if err := own(v, userID); err != nil {
		return nil, err
	}
	return outbox.Listen[social.PostNotification](ctx, s.Bus, social.PostNotificationSubject(userID), s.Now())
}

func own(v social.Viewer, userID social.UserID) error {
	if userID != v.UserID {
		return refusal.Forbiddenf("Cannot subscribe to notifications intended for another user")
	}
	return nil
}

// PostMoved tells owners when a post of theirs is completed for the first time, not when
// it comes back from the archive, and when it has failed.
func (s *Service) PostMoved(_ context.Context, e social.PostMoved, tell outbox.Tell) error {
	switch {
	case e.First():
		tell(social.PostNotification{UserID: e.UserID, Type: social.PostNotifyCompleted, PostID: e.PostID},
			social.Notification{UserID: e.UserID, Type: social.NotifyPostCompleted, PostID: &e.PostID})
	case e.To == social.PostError:
		tell(social.Notification{UserID: e.UserID, Type: social.NotifyPostError, PostID: &e.PostID})
	}
	return nil
}
