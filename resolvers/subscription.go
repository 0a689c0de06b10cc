package resolvers

import (
	"context"
	"stoa/social"
)

func (r *mutationResolver) GrantUserSubscriptionBonus(ctx context.Context) (*social.SeenUser, error) {
	return r.Subscriptions.Grant(ctx, social.CallerFrom(ctx))
}

func (r *mutationResolver) AddAppStoreReceipt(ctx context.Context, receiptData string) (*bool, error) {
	return succeeded(r.Subscriptions.AddReceipt(ctx, social.CallerFrom(ctx), receiptData))
}
