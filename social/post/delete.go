package post

import (
	"context"

	"stoa/social"
)

// Delete removes a post of the caller, in whatever status it is. Its likes, its comments
// and its places in feeds follow by the event.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return s.move(ctx, c, id, "delete", d, func(f social.PostFacts) (social.PostFacts, error) { return f.Deleting(), nil })
}
