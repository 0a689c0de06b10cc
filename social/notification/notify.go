// Package notification notifies users of changes that concern them, while they are
// subscribed.
//
// Nothing is stored for those who are not: a subscription starts with what is published
// after it.
package notification

import (
	"context"
	"time"

	"stoa/internal/outbox"
	"stoa/social"
)

// Service implements the notification area. Its fields are set once.
type Service struct {
	Bus outbox.Bus
	Now func() time.Time
}

// Subscribe returns a channel of notifications for the viewer, who must be userID. It is
// closed when ctx ends, and when its reader falls behind.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error) {
	return outbox.Listen[social.Notification](ctx, s.Bus, social.NotificationSubject(userID), s.Now(), social.CheckSubscriber(v, userID))
}

// OfPosts is like Subscribe, for the notifications that older apps receive about the
// viewer's posts.
func (s *Service) OfPosts(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.PostNotification, error) {
	return outbox.Listen[social.PostNotification](ctx, s.Bus, social.PostNotificationSubject(userID), s.Now(), social.CheckSubscriber(v, userID))
}

// PostStatusChanged notifies owners when a post of theirs is completed for the first time, but not
// when it is restored, and when it has failed.
func (s *Service) PostStatusChanged(_ context.Context, e social.PostStatusChanged, tell outbox.Tell) error {
	switch {
	case e.First():
		tell(social.PostNotification{UserID: e.UserID, Type: social.PostNotifyCompleted, PostID: e.PostID},
			social.Notification{UserID: e.UserID, Type: social.NotifyPostCompleted, PostID: &e.PostID})
	case e.To == social.PostError:
		tell(social.Notification{UserID: e.UserID, Type: social.NotifyPostError, PostID: &e.PostID})
	}
	return nil
}
