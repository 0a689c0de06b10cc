package follow

import (
	"context"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// list reads a page of a user's follows of a status.
type list func(ctx context.Context, of social.UserID, status social.FollowStatus, q page.Query) (page.Page[social.Follow], error)

// Followed returns the users that a user follows, or has asked to follow, or nil if the
// viewer may not see them.
func (s *Service) Followed(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, args page.Args) (*page.Page[social.Entry], error) {
	return read(ctx, s.Store.Followed, of, status, args)
}

// Followers returns the users who follow a user, or have asked to, or nil if the viewer may
// not see them.
func (s *Service) Followers(ctx context.Context, of *social.SeenUser, status *social.FollowStatus, args page.Args) (*page.Page[social.Entry], error) {
	return read(ctx, s.Store.Followers, of, status, args)
}

// read checks its arguments in the order that clients rely on: the status, the page size,
// and only then whether the viewer may see the list.
func read(ctx context.Context, l list, of *social.SeenUser, status *social.FollowStatus, args page.Args) (*page.Page[social.Entry], error) {
	wanted := optional.Or(status, social.Following)
	switch {
	case wanted == social.NotFollowing:
		return nil, refusal.Invalidf("Cannot request followStatus of %s", wanted)
	case wanted != social.Following && !of.IsSelf():
		return nil, refusal.Forbiddenf("May only query FOLLOWING relationships of other users")
	}
	q, err := args.Query()
	if err != nil {
		return nil, err
	}
	if !of.FollowsShown() {
		return nil, nil
	}
	follows, err := l(ctx, of.UserID(), wanted, q)
	if err != nil {
		return nil, err
	}
	entries := social.Entries(follows, of, func(f social.Follow) social.Entry {
		return social.Entry{UserID: f.Other(of.UserID()), At: f.FollowedAt}
	})
	return &entries, nil
}
