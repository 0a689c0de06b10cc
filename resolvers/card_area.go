package resolvers

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Cards knows what users are asked to look at: package card. A nil page is a list that
// the viewer may not see.
type Cards interface {
	Delete(ctx context.Context, c social.Caller, id social.CardID) (*social.SeenCard, error)
	ByUser(ctx context.Context, v social.Viewer, of *social.SeenUser, list page.Args) (*page.Page[*social.SeenCard], error)
	Subscribe(ctx context.Context, v social.Viewer, userID social.UserID) (<-chan *social.CardNotification, error)
}
