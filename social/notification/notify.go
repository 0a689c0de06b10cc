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
	// Large knows who follows large accounts. It is told when somebody's follows may have
	// changed.
	Large Large
}

// Large knows which large accounts users follow.
type Large interface {
	// Follows reports whether a user follows a large account. It may keep the answer in memory
	// until Forget is called.
	Follows(ctx context.Context, follower, followed social.UserID) (bool, error)
	// FollowsAny reports whether a user follows any.
	FollowsAny(ctx context.Context, follower social.UserID) (bool, error)
	Forget(follower social.UserID)
}

// Subscribe returns a channel of notifications for the viewer, who must be userID. It is
// closed when ctx ends, and when its reader falls behind.
func (s *Service) Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error) {
	if err := social.CheckSubscriber(v, userID); err != nil {
		return nil, err
	}
	return outbox.Join(ctx,
		func(ctx context.Context) (<-chan *social.Notification, error) { return s.own(ctx, userID) },
		func(ctx context.Context) (<-chan *social.Notification, error) { return s.ofLarge(ctx, userID) },
		func(ctx context.Context) (*social.Notification, error) { return s.mayHaveMissed(ctx, userID) },
	)
}

// mayHaveMissed returns what somebody who resumes a subscription is told because a large account
// may have posted meanwhile: a place in a subscription is among the messages to its user.
func (s *Service) mayHaveMissed(ctx context.Context, userID social.UserID) (*social.Notification, error) {
	if any, err := s.Large.FollowsAny(ctx, userID); !any || err != nil {
		return nil, err
	}
	return &social.Notification{UserID: userID, Type: social.NotifyFeedChanged}, nil
}

// own returns the notifications that are sent to a user. Changes of the user's follows are among
// them, also those made by other processes.
func (s *Service) own(ctx context.Context, userID social.UserID) (<-chan *social.Notification, error) {
	admit := func(context.Context) error {
		s.Large.Forget(userID) // without a subscription, nothing was heard
		return nil
	}
	return outbox.Follow(ctx, s.Bus, social.NotificationSubject(userID), s.Now(), admit,
		func(_ context.Context, n *social.Notification) (*social.Notification, bool, error) {
			if n.FollowsChanged {
				s.Large.Forget(userID)
			}
			if n.Type == "" {
				return nil, false, nil
			}
			return n, false, nil
		})
}

// ofLarge returns the notifications for a user that are sent to all followers of a large account.
func (s *Service) ofLarge(ctx context.Context, userID social.UserID) (<-chan *social.Notification, error) {
	admit := func(context.Context) error { return nil }
	return outbox.Follow(ctx, s.Bus, social.LargeFeedSubject, s.Now(), admit,
		func(ctx context.Context, m *social.LargeFeedChanged) (*social.Notification, bool, error) {
			follows, err := s.Large.Follows(ctx, userID, m.UserID)
			if err != nil || !follows {
				return nil, false, err
			}
			return &social.Notification{UserID: userID, Type: social.NotifyFeedChanged}, false, nil
		})
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
