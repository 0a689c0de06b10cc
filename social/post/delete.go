package post

import (
	"context"

	"stoa/social"
)

// Delete deletes a post of the caller, whatever its status. Its likes, comments and feed
// entries are removed when the event is received.
func (s *Service) Delete(ctx context.Context, c social.Caller, id social.PostID, d social.Detail) (*social.SeenPost, error) {
	return s.move(ctx, c, id, "delete", d, func(f social.PostFacts) (social.PostFacts, error) { return f.Deleting(), nil })
}
