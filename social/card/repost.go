package card

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// PostReposted puts a card for the owner of an original whose image has been posted again,
// possibly by themselves.
func (s *Service) PostReposted(ctx context.Context, e social.PostStatusChanged, tell outbox.Tell) error {
	if !e.First() || e.OriginalPostID == "" {
		return nil
	}
	facts, err := s.Posts.Facts(ctx, e.UserID, []social.PostID{e.PostID, e.OriginalPostID}, 0)
	if err != nil {
		return err
	}
	repost, original := facts[e.PostID].Post, facts[e.OriginalPostID].Post
	if repost == nil || original == nil || repost.PostedByUserID != e.UserID {
		return nil
	}
	reposter, err := s.Users.Profile(ctx, e.UserID)
	if reposter == nil || err != nil {
		return err
	}
	return s.Put(ctx, s.Catalogue.PostRepost(original.PostedByUserID, reposter.Username, repost).On(repost, nil).Since(original.PostedAt), tell)
}
