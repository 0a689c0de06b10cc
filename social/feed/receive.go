package feed

import (
	"context"
	"strings"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged adds a completed post to the feeds of its owner and their followers, and
// removes any other post from all feeds, a page at a time. It notifies all users whose feed
// has changed. A post of a large account is added to the owner's feed only.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostCompleted && !e.Showed() {
		return "", 0, nil // not in any feed
	}
	p, owner, err := s.Store.Post(ctx, e.PostID, e.UserID)
	if err != nil {
		return "", 0, err
	}
	var delivery social.Delivery
	if owner != nil {
		delivery = owner.Delivery
		if err := s.cross(ctx, owner, cursor); err != nil {
			return "", 0, err
		}
	}
	// Another user may have reused the id of a deleted post.
	spreads := p != nil && p.Status == social.PostCompleted && p.PostedByUserID == e.UserID
	// Each direction has its own cursors. If the post's status has changed meanwhile, start
	// over.
	d, after := directionOf(cursor)
	if d.name != name(spreads) {
		d, after = direction{name(spreads), delivery.ListsAll()}, ""
	}
	switch {
	case spreads && after == "" && !delivery.Copies():
		rows, err = 1, s.reconcile(ctx, []social.FeedItem{item(p, p.PostedByUserID)}, true)
		if err == nil {
			tell(changed(e.UserID), social.LargeFeedChanged{UserID: e.UserID})
		}
	case spreads:
		next, rows, err = s.spread(ctx, p, after, d.hearing(tell, e.UserID))
	default:
		next, rows, err = s.withdraw(ctx, e, after, d.hearing(tell, e.UserID))
	}
	if next != "" {
		next = d.String() + " " + next
	}
	return next, rows, err
}

// direction is the direction in which a fan-out moves entries. If it is large, all followers of
// the account are told together, because some of them may have no entry.
type direction struct {
	name  string
	large bool
}

// allTold ends the name of a direction in a cursor if all followers are told together.
const allTold = "+"

func (d direction) String() string {
	if d.large {
		return d.name + allTold
	}
	return d.name
}

func directionOf(cursor string) (d direction, after string) {
	d.name, after, _ = strings.Cut(cursor, " ")
	d.name, d.large = strings.CutSuffix(d.name, allTold)
	return d, after
}

// name returns the name of a direction in a cursor.
func name(in bool) string {
	if in {
		return "in"
	}
	return "out"
}

// hearing returns a function that notifies the users whose feeds have changed: each, or, when
// the feed of the account itself has, all.
func (d direction) hearing(tell outbox.Tell, account social.UserID) func(items []social.FeedItem) {
	return func(items []social.FeedItem) {
		for _, it := range items {
			if !d.large || it.FeedUserID == account {
				tell(changed(it.FeedUserID))
			}
			if d.large && it.FeedUserID == account {
				tell(social.LargeFeedChanged{UserID: account})
			}
		}
	}
}

func (s *Service) spread(ctx context.Context, p *social.Post, after string, tellAll func([]social.FeedItem)) (next string, rows int, err error) {
	follows, err := s.Follows.Followers(ctx, p.PostedByUserID, social.Following, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	items := make([]social.FeedItem, 0, len(follows.Items)+1)
	if after == "" {
		items = append(items, item(p, p.PostedByUserID))
	}
	for _, f := range follows.Items {
		items = append(items, item(p, f.FollowerUserID))
	}
	if err := s.reconcile(ctx, items, true); err != nil {
		return "", 0, err
	}
	tellAll(items)
	return follows.Next, len(items), nil
}

func (s *Service) withdraw(
	ctx context.Context, e social.PostStatusChanged, after string, tellAll func([]social.FeedItem),
) (next string, rows int, err error) {
	all, err := s.Store.OfPost(ctx, e.PostID, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	var items []social.FeedItem
	for _, it := range all.Items {
		if it.PostedByUserID == e.UserID {
			items = append(items, it)
		}
	}
	if err := s.reconcile(ctx, items, false); err != nil {
		return "", 0, err
	}
	tellAll(items)
	return all.Next, len(items), nil
}

// FollowStatusChanged brings a follower's feed in line with their present follow of a user, a page
// at a time: it contains all of that user's completed posts, or none. Of a large account, it
// contains none in either case, and the posts are read. The follower is notified of every change
// of the follow, even if no post is affected.
func (s *Service) FollowStatusChanged(ctx context.Context, e social.FollowStatusChanged, cursor string, tell outbox.Tell) (next string, rows int, err error) {
	followed, following, err := s.follow(ctx, e.FollowerUserID, e.FollowedUserID)
	if err != nil {
		return "", 0, err
	}
	if followed != nil {
		if err := s.cross(ctx, followed, cursor); err != nil {
			return "", 0, err
		}
	}
	direction, after, _ := strings.Cut(cursor, " ")
	if direction != name(following) {
		after = ""
	}
	var items []social.FeedItem
	switch {
	case following && after == "" && followed != nil && !followed.Delivery.Copies():
	case following:
		posts, err := s.Posts.ByUser(ctx, e.FollowedUserID, social.PostCompleted, page.Query{First: page.Max, After: after})
		if err != nil {
			return "", 0, err
		}
		for _, p := range posts.Items {
			items = append(items, item(p, e.FollowerUserID))
		}
		next = posts.Next
	default:
		places, err := s.Store.OfOwner(ctx, e.FollowerUserID, e.FollowedUserID, page.Query{First: page.Max, After: after})
		if err != nil {
			return "", 0, err
		}
		items, next = places.Items, places.Next
	}
	if err := s.reconcile(ctx, items, following); err != nil {
		return "", 0, err
	}
	if next == "" {
		tell(social.FollowsChanged(e.FollowerUserID))
	} else {
		next = name(following) + " " + next
	}
	return next, len(items), nil
}

// reconcile adds or removes items, as in says, then checks each item against the present posts
// and follows, and corrects those that were wrong. Posts and follows may change
// concurrently, in other processes too; the last check comes after its own writes.
func (s *Service) reconcile(ctx context.Context, items []social.FeedItem, in bool) error {
	for len(items) > 0 {
		write := s.Store.Remove
		if in {
			write = s.Store.Put
		}
		if err := write(ctx, items); err != nil {
			return err
		}
		valid, err := s.Store.Valid(ctx, items)
		if err != nil {
			return err
		}
		var wrong []social.FeedItem
		for i, it := range items {
			if valid[i] != in {
				wrong = append(wrong, it)
			}
		}
		items, in = wrong, !in
	}
	return nil
}

func item(p *social.Post, user social.UserID) social.FeedItem {
	return social.FeedItem{PostID: p.PostID, FeedUserID: user, PostedByUserID: p.PostedByUserID, PostedAt: p.PostedAt}
}

func changed(user social.UserID) social.Notification {
	return social.Notification{UserID: user, Type: social.NotifyFeedChanged}
}
