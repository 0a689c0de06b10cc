package feed

import (
	"context"
	"slices"
	"strings"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/slice"
	"stoa/internal/outbox"
	"stoa/social"
)

// cross changes the delivery of a user's posts, upon the first chunk of a fan-out, if they have come
// to have many followers, or few. It comes before anybody is notified, as it may fail.
func (s *Service) cross(ctx context.Context, u *social.User, cursor string) error {
	if cursor != "" || !u.Crosses(s.FanOutLimit) {
		return nil
	}
	return s.deliver(ctx, social.DeliveryChanged{UserID: u.UserID, Delivery: u.Delivery + 1})
}

// deliver stores the next delivery of a user's posts, unless somebody else has done so.
func (s *Service) deliver(ctx context.Context, to social.DeliveryChanged) error {
	return refusal.IgnoreConflict(decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
		return s.Store.Deliver(ctx, to, a.Emit(to)...)
	}))
}

// DeliveryChanged prepares the followers of an account that is becoming large or small, a page at
// a time, and then changes the delivery of its posts. Nothing happens to what followers see.
func (s *Service) DeliveryChanged(ctx context.Context, e social.DeliveryChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	found, err := s.Store.Accounts(ctx, []social.UserID{e.UserID})
	if u := found[e.UserID]; err != nil || u == nil || u.Delivery != e.Delivery {
		return "", 0, err
	}
	switch {
	case e.Delivery.Growing():
		next, rows, err = s.list(ctx, e, cursor, tell)
	case e.Delivery.Shrinking():
		next, rows, err = s.copyAll(ctx, e.UserID, cursor)
	case e.Delivery.Lists():
		return "", 0, nil // large: nothing follows
	default:
		return s.unlist(ctx, e, cursor)
	}
	if err == nil && next == "" {
		err = s.deliver(ctx, social.DeliveryChanged{UserID: e.UserID, Delivery: e.Delivery + 1})
	}
	return next, rows, err
}

// listedAtOnce is the number of followers that are listed in one transaction, which has three
// items for each.
const listedAtOnce = 25

// list stores large follows for the followers of an account, and tells their subscriptions.
func (s *Service) list(ctx context.Context, e social.DeliveryChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	followers, err := s.Store.Followers(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	added := slice.Map(followers.Items, func(f social.Follow) social.LargeFollow {
		return social.LargeFollow{FollowerUserID: f.FollowerUserID, FollowedUserID: e.UserID, Delivery: e.Delivery}
	})
	if err := inChunks(ctx, added, s.Store.AddLarge); err != nil {
		return "", 0, err
	}
	for _, f := range added {
		s.Large.Forget(f.FollowerUserID)
		tell(social.Notification{UserID: f.FollowerUserID, FollowsChanged: true})
	}
	return followers.Next, len(added), nil
}

// unlist deletes large follows of an account that is no longer large. Those who have unfollowed it
// have none.
func (s *Service) unlist(ctx context.Context, e social.DeliveryChanged, cursor string) (next string, rows int, err error) {
	followers, err := s.Store.Followers(ctx, e.UserID, page.Query{First: page.Max, After: cursor})
	if err != nil {
		return "", 0, err
	}
	all, err := s.Store.LargeFollows(ctx, followers.Items)
	if err != nil {
		return "", 0, err
	}
	// Newer ones are of the next time as a large account.
	all = slices.DeleteFunc(all, func(f social.LargeFollow) bool { return f.Delivery >= e.Delivery })
	return followers.Next, len(all), inChunks(ctx, all, s.Store.DropLarge)
}

// inChunks writes large follows, and skips those that have changed meanwhile.
func inChunks(ctx context.Context, all []social.LargeFollow, write func(context.Context, []social.LargeFollow) error) error {
	for some := range slices.Chunk(all, listedAtOnce) {
		err := write(ctx, some)
		if refusal.KindOf(err) == refusal.Conflict && len(some) > 1 {
			err = nil
			for i := range some {
				if err = refusal.IgnoreConflict(write(ctx, some[i:i+1])); err != nil {
					break
				}
			}
		}
		if err := refusal.IgnoreConflict(err); err != nil {
			return err
		}
	}
	return nil
}

// copyAll copies the posts of an account into the feeds of its followers, about a hundred entries
// at a time. The cursor consists of the place among the followers and that among the posts.
func (s *Service) copyAll(ctx context.Context, account social.UserID, cursor string) (next string, rows int, err error) {
	followersAfter, postsAfter, _ := strings.Cut(cursor, " ")
	posts, err := s.Posts.ByUser(ctx, account, social.PostCompleted, page.Query{First: page.Max, After: postsAfter})
	if err != nil || len(posts.Items) == 0 && postsAfter == "" {
		return "", 0, err
	}
	at := 1
	if postsAfter == "" && posts.Next == "" {
		at = max(1, page.Max/len(posts.Items))
	}
	followers, err := s.Store.Followers(ctx, account, page.Query{First: at, After: followersAfter})
	if err != nil {
		return "", 0, err
	}
	var items []social.FeedItem
	for _, f := range followers.Items {
		for _, p := range posts.Items {
			items = append(items, item(p, f.FollowerUserID))
		}
	}
	switch {
	case posts.Next != "":
		next = followersAfter + " " + posts.Next
	case followers.Next != "":
		next = followers.Next + " "
	}
	return next, len(items), s.reconcile(ctx, items, true)
}

// follow brings the large follow of a follower in line with their follow, and returns the profile
// of the followed user, or nil, and whether they are followed.
func (s *Service) follow(ctx context.Context, follower, followed social.UserID) (u *social.User, following bool, err error) {
	err = decision.Do(ctx, s.Frame, func(*decision.Attempt) error {
		follow, large, account, err := s.Store.Follow(ctx, follower, followed)
		if err != nil {
			return err
		}
		u, following = account, follow != nil && follow.Status == social.Following
		switch {
		case following && u != nil && u.Delivery.Lists() && (large == nil || !u.Delivery.Covers(large.Delivery)):
			err = s.Store.AddLarge(ctx, []social.LargeFollow{{FollowerUserID: follower, FollowedUserID: followed, Delivery: u.Delivery}})
			if refusal.KindOf(err) == refusal.Conflict && !s.hasProfile(ctx, follower) {
				err = nil // nobody reads that feed
			}
		case !following && large != nil:
			err = s.Store.EndLarge(ctx, *large)
		default:
			return nil
		}
		s.Large.Forget(follower)
		return err
	})
	return u, following, err
}

func (s *Service) hasProfile(ctx context.Context, id social.UserID) bool {
	found, err := s.Store.Accounts(ctx, []social.UserID{id})
	return err != nil || found[id] != nil
}
