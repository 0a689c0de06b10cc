package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) TriggerPostNotification(ctx context.Context, input graph.PostNotificationInput) (*social.PostNotification, error) {
	return nil, refusal.Forbiddenf("Access denied")
}

func (r *postNotificationResolver) Post(ctx context.Context, obj *social.PostNotification) (*social.SeenPost, error) {
	posts, err := r.Posts.Visible(ctx, viewer.From(ctx), []social.PostID{obj.PostID}, asked(ctx))
	if err == nil && posts[obj.PostID] == nil {
		err = refusal.NotFoundf("Post `%s` does not exist", obj.PostID)
	}
	return posts[obj.PostID], err
}

func (r *subscriptionResolver) OnPostNotification(ctx context.Context, userID string) (<-chan *social.PostNotification, error) {
	return r.Notifications.OfPosts(ctx, viewer.From(ctx), social.UserID(userID))
}

func (r *Resolver) PostNotification() graph.PostNotificationResolver {
	return &postNotificationResolver{r}
}

type postNotificationResolver struct{ *Resolver }
