package feed

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// PostMoved receives the event of its name: a completed post enters the feeds of its
// owner and followers, any other leaves them all. It answers with a notification for
// everybody whose feed has changed; what it returns beside an error has happened and
// is not returned again when it is repeated.
func (s *Service) PostMoved(ctx context.Context, e social.Event) ([]social.Notification, error) {
	facts, err := s.Posts.Facts(ctx, e.UserID, []social.PostID{e.PostID}, 0)
	if err != nil {
		return nil, err
	}
	// A deleted post's id may have been taken by somebody else meanwhile.
	p := facts[e.PostID].Post
	if p == nil || p.Status != social.PostCompleted || p.PostedByUserID != e.UserID {
		return s.withdraw(ctx, e.PostID, e.UserID)
	}
	return s.spread(ctx, p)
}

func (s *Service) spread(ctx context.Context, p *social.Post) ([]social.Notification, error) {
	told := []social.Notification{changed(p.PostedByUserID)}
	if err := s.Store.Put(ctx, []social.FeedItem{item(p, p.PostedByUserID)}); err != nil {
		return nil, err
	}
	err := pages(func(q page.Query) (page.Page[social.Follow], error) {
		return s.Follows.Followers(ctx, p.PostedByUserID, social.Following, q)
	}, func(follows []social.Follow) error {
		items := make([]social.FeedItem, len(follows))
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

func (s *Service) withdraw(ctx context.Context, id social.PostID, owner social.UserID) ([]social.Notification, error) {
	var told []social.Notification
	err := pages(func(q page.Query) (page.Page[social.FeedItem], error) {
		return s.Store.OfPost(ctx, id, q)
	}, func(all []social.FeedItem) error {
		var items []social.FeedItem
		var users []social.Notification
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
func (s *Service) FollowMoved(ctx context.Context, e social.Event) ([]social.Notification, error) {
	if err := s.Sync(ctx, e.FollowerUserID, e.UserID); err != nil {
		return nil, err
	}
	return []social.Notification{changed(e.FollowerUserID)}, nil
}

// Sync makes a follower's feed hold what their present follow of a user puts there:
// all of that user's completed posts, or none.
func (s *Service) Sync(ctx context.Context, follower, followed social.UserID) error {
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

func (s *Service) following(ctx context.Context, follower, followed social.UserID) (bool, error) {
	pair, err := s.Follows.Pair(ctx, follower, followed)
	return pair.Status == social.Following, err
}

func (s *Service) fill(ctx context.Context, user, owner social.UserID) error {
	return pages(func(q page.Query) (page.Page[*social.Post], error) {
		return s.Posts.ByUser(ctx, owner, social.PostCompleted, q)
	}, func(posts []*social.Post) error {
		items := make([]social.FeedItem, len(posts))
		for i, p := range posts {
			items[i] = item(p, user)
		}
		return s.Store.Put(ctx, items)
	})
}

func (s *Service) clear(ctx context.Context, user, owner social.UserID) error {
	return pages(func(q page.Query) (page.Page[social.FeedItem], error) {
		return s.Store.Between(ctx, user, owner, q)
	}, func(items []social.FeedItem) error {
		return s.Store.Remove(ctx, items)
	})
}

func item(p *social.Post, user social.UserID) social.FeedItem {
	return social.FeedItem{PostID: p.PostID, FeedUserID: user, PostedByUserID: p.PostedByUserID, PostedAt: p.PostedAt}
}

func changed(user social.UserID) social.Notification {
	return social.Notification{UserID: user, Type: social.NotifyFeedChanged}
}
