package follow

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// list reads one page of the follows of a user in a status.
type list func(ctx context.Context, of stoa.UserID, status stoa.FollowStatus, q page.Query) (page.Page[stoa.Follow], error)

// Followed returns whom a user follows, or has asked to follow; nil when the viewer may
// not see that.
func (s *Service) Followed(ctx context.Context, of *stoa.SeenUser, status *stoa.FollowStatus, args page.Args) (*page.Page[stoa.UserID], error) {
	return read(ctx, s.Store.Followed, of, status, args, func(f stoa.Follow) stoa.UserID { return f.FollowedUserID })
}

// Followers returns who follows a user, or has asked to; nil when the viewer may not
// see that.
func (s *Service) Followers(ctx context.Context, of *stoa.SeenUser, status *stoa.FollowStatus, args page.Args) (*page.Page[stoa.UserID], error) {
	return read(ctx, s.Store.Followers, of, status, args, func(f stoa.Follow) stoa.UserID { return f.FollowerUserID })
}

// read checks in the order that clients rely on: what is asked for, the size, and only
// then whether the viewer may see it.
func read(ctx context.Context, l list, of *stoa.SeenUser, status *stoa.FollowStatus, args page.Args, id func(stoa.Follow) stoa.UserID) (*page.Page[stoa.UserID], error) {
	wanted := stoa.Following
	if status != nil {
		wanted = *status
	}
	switch {
	case wanted == stoa.NotFollowing:
		return nil, stoa.Refuse("Cannot request followStatus of %s", wanted)
	case wanted != stoa.Following && !of.IsSelf():
		return nil, stoa.Forbid("May only query FOLLOWING relationships of other users")
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
	ids := page.Map(follows, id)
	return &ids, nil
}
