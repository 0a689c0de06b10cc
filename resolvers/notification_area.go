package resolvers

import (
	"context"

	"stoa/social"
)

// Notifications tells users what changes for them: package notify.
type Notifications interface {
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.Notification, error)
	OfPosts(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.PostNotification, error)
}
