package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *cardResolver) Thumbnail(ctx context.Context, obj *social.SeenCard) (*social.Image, error) {
	if obj.PostID() == "" {
		return nil, nil
	}
	files, err := r.imageFiles(ctx, obj.PostID())
	if files == "" || err != nil {
		return nil, err
	}
	return r.Media.At(files), nil
}

func (r *mutationResolver) DeleteCard(ctx context.Context, cardID string) (*social.SeenCard, error) {
	return r.Cards.Delete(ctx, social.CallerFrom(ctx), social.CardID(cardID))
}

func (r *mutationResolver) TriggerCardNotification(ctx context.Context, input graph.CardNotificationInput) (*social.CardNotification, error) {
	return nil, refusal.Forbiddenf("Access denied")
}

func (r *subscriptionResolver) OnCardNotification(ctx context.Context, userID string) (<-chan *social.CardNotification, error) {
	return r.Cards.Subscribe(ctx, viewer.From(ctx), social.UserID(userID))
}

func (r *userResolver) Cards(ctx context.Context, obj *social.SeenUser, limit *int, nextToken *string) (*graph.PaginatedCards, error) {
	return shown[graph.PaginatedCards](r.Resolver.Cards.ByUser(ctx, viewer.From(ctx), obj, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *Resolver) Card() graph.CardResolver { return &cardResolver{r} }

type cardResolver struct{ *Resolver }
