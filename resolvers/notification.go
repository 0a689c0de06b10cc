package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) TriggerNotification(ctx context.Context, input graph.NotificationInput) (*social.Notification, error) {
	return nil, refusal.Forbiddenf("Access denied")
}

func (r *subscriptionResolver) OnNotification(ctx context.Context, userID string) (<-chan *social.Notification, error) {
	return r.Notifications.Subscribe(ctx, viewer.From(ctx), social.UserID(userID))
}
