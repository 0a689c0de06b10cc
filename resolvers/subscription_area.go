package resolvers

import (
	"context"

	"stoa/social"
)

// Subscriptions is the area of paid subscriptions; package subscription implements it.
type Subscriptions interface {
	Grant(ctx context.Context, c social.Caller) (*social.SeenUser, error)
	AddReceipt(ctx context.Context, c social.Caller, receipt string) error
}
