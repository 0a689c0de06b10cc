package resolvers

import (
	"context"

	"stoa/social"
)

// Notifications is the area of events that concern a user; package notify implements it.
type Notifications interface {
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error)
	OfPosts(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.PostNotification, error)
}
