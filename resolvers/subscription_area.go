package resolvers

import (
	"context"

	"stoa/social"
)

// Subscriptions knows what users have paid for: package subscription.
type Subscriptions interface {
	Grant(ctx context.Context, c social.Caller) (*social.SeenUser, error)
	AddReceipt(ctx context.Context, c social.Caller, receipt string) error
}
