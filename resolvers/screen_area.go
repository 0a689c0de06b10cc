package resolvers

import (
	"context"

	"stoa/social"
)

// Screens knows who viewed which screens of the app: package screen.
type Screens interface {
	Report(ctx context.Context, c social.Caller, screens []string) error
}
