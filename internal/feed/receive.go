package feed

import (
	"context"

	"stoa"
	"stoa/internal/kit/page"
)

// PostMoved receives the event of its name: a completed post enters the feeds of its
// owner and followers, any other leaves them all. It answers with a notification for
// everybody whose feed has changed; what it returns beside an error has happened and
// is not returned again when it is repeated.
func (s *Service) PostMoved(ctx context.Context, e stoa.Event) ([]stoa.Notification, error) {
	facts, err := s.Posts.Facts(ctx, e.UserID, []stoa.PostID{e.PostID}, 0)
	if err != nil {
		return nil, err
	}
	// A deleted post's id may have been taken by somebody else meanwhile.
	p := facts[e.PostID].Post
	if p == nil || p.Status != stoa.PostCompleted || p.PostedByUserID != e.UserID {
		return s.withdraw(ctx, e.PostID, e.UserID)
	}
	return s.spread(ctx, p)
}

func (s *Service) spread(ctx context.Context, p *stoa.Post) ([]stoa.Notification, error) {
	told := []stoa.Notification{changed(p.PostedByUserID)}
	if err := s.Store.Put(ctx, []stoa.FeedItem{item(p, p.PostedByUserID)}); err != nil {
		return nil, err
	}
	err := pages(func(q page.Query) (page.Page[stoa.Follow], error) {
		return s.Follows.Followers(ctx, p.PostedByUserID, stoa.Following, q)
	}, func(follows []stoa.Follow) error {
		items := make([]stoa.FeedItem, len(follows))
		for i, f := range follows {
			items[i] = item(p, f.FollowerUserID)
			told = append(told, changed(f.FollowerUserID))
		}
		return s.Store.Put(ctx, items)
	})
	if err != nil {
		return nil, err
	}
	return told, nil
}

func (s *Service) withdraw(ctx context.Context, id stoa.PostID, owner stoa.UserID) ([]stoa.Notification, error) {
	var told []stoa.Notification
	err := pages(func(q page.Query) (page.Page[stoa.FeedItem], error) {
		return s.Store.OfPost(ctx, id, q)
	}, func(all []stoa.FeedItem) error {
		var items []stoa.FeedItem
		var users []stoa.Notification
		for _, it := range all {
			if it.PostedByUserID == owner {
				items = append(items, it)
				users = append(users, changed(it.FeedUserID))
			}
		}
		if err := s.Store.Remove(ctx, items); err != nil {
			return err
		}
		told = append(told, users...)
		return nil
	})
	return told, err
}

// FollowMoved receives the event of its name. Its follower is told of every change,
// also of one that moves no post.
func (s *Service) FollowMoved(ctx context.Context, e stoa.Event) ([]stoa.Notification, error) {
	if err := s.Sync(ctx, e.FollowerUserID, e.UserID); err != nil {
		return nil, err
	}
	return []stoa.Notification{changed(e.FollowerUserID)}, nil
}

// Sync makes a follower's feed hold what their present follow of a user puts there:
// all of that user's completed posts, or none.
func (s *Service) Sync(ctx context.Context, follower, followed stoa.UserID) error {
	following, err := s.following(ctx, follower, followed)
	for err == nil {
		if following {
			err = s.fill(ctx, follower, followed)
		} else {
			err = s.clear(ctx, follower, followed)
		}
		if err != nil {
			return err
		}
		// The follow may have moved during that, and its own event been received before
		// this wrote last.
		was := following
		following, err = s.following(ctx, follower, followed)
		if err == nil && following == was {
			return nil
		}
	}
	return err
}

func (s *Service) following(ctx context.Context, follower, followed stoa.UserID) (bool, error) {
	pair, err := s.Follows.Pair(ctx, follower, followed)
	return pair.Status == stoa.Following, err
}

func (s *Service) fill(ctx context.Context, user, owner stoa.UserID) error {
	return pages(func(q page.Query) (page.Page[*stoa.Post], error) {
		return s.Posts.ByUser(ctx, owner, stoa.PostCompleted, q)
	}, func(posts []*stoa.Post) error {
		items := make([]stoa.FeedItem, len(posts))
		for i, p := range posts {
			items[i] = item(p, user)
		}
		return s.Store.Put(ctx, items)
	})
}

func (s *Service) clear(ctx context.Context, user, owner stoa.UserID) error {
	return pages(func(q page.Query) (page.Page[stoa.FeedItem], error) {
		return s.Store.Between(ctx, user, owner, q)
	}, func(items []stoa.FeedItem) error {
		return s.Store.Remove(ctx, items)
	})
}

func item(p *stoa.Post, user stoa.UserID) stoa.FeedItem {
	return stoa.FeedItem{PostID: p.PostID, FeedUserID: user, PostedByUserID: p.PostedByUserID, PostedAt: p.PostedAt}
}

func changed(user stoa.UserID) stoa.Notification {
	return stoa.Notification{UserID: user, Type: stoa.NotifyFeedChanged}
}
