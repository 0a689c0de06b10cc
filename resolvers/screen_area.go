package resolvers

import (
	"context"

	"stoa/social"
)

// Screens is the area of views of the app's screens; package screen implements it.
type Screens interface {
	Report(ctx context.Context, c social.Caller, screens []string) error
}
