package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
)

func (r *mutationResolver) TriggerNotification(ctx context.Context, input graph.NotificationInput) (*stoa.Notification, error) {
	return nil, stoa.Forbid("Access denied")
}

func (r *subscriptionResolver) OnNotification(ctx context.Context, userID string) (<-chan *stoa.Notification, error) {
	return r.Notifications.Subscribe(ctx, stoa.ViewerFrom(ctx), stoa.UserID(userID))
}
