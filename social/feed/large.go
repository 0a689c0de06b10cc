package feed

import (
	"context"
	"slices"
	"sync"
	"time"

	"stoa/internal/kit/cache"
	"stoa/internal/kit/page"
	"stoa/internal/kit/together"
	"stoa/social"
)

// LargeStore reads large accounts and who follows them.
type LargeStore interface {
	// LargeFollowsOf returns the large accounts that a user follows.
	LargeFollowsOf(ctx context.Context, follower social.UserID) ([]social.UserID, error)
	// Accounts returns the profiles of those users who exist.
	Accounts(ctx context.Context, ids []social.UserID) (map[social.UserID]*social.User, error)
	// PostedBy returns up to most completed posts of a user as entries of no feed, newest
	// first, and whether there are more. If until is not zero, it begins with a post of that
	// time.
	PostedBy(ctx context.Context, owner social.UserID, until social.FeedItem, most int) (entries []social.FeedItem, more bool, err error)
}

// Large knows the large accounts that users follow, and the newest posts of those accounts. What
// it keeps in memory is valid as long as a version in a profile stays the same.
type Large struct {
	store   LargeStore
	now     func() time.Time
	follows *cache.Cache[social.UserID, *largeFollows]
	posts   *cache.Cache[social.UserID, *newest]
}

// NewLarge returns a Large without anything in memory.
func NewLarge(store LargeStore, now func() time.Time) *Large {
	return &Large{
		store: store, now: now,
		follows: cache.New[social.UserID, *largeFollows](100_000, 16<<20),
		posts:   cache.New[social.UserID, *newest](10_000, 16<<20),
	}
}

// Weights of cached values, in bytes.
const (
	idWeight    = 256
	entryWeight = 160
)

// version identifies a state of something that a profile has the version of.
type version struct {
	since  time.Time
	number int
}

// largeFollows are the large accounts that a user follows.
type largeFollows struct {
	mu      sync.Mutex
	loaded  bool
	version version
	ids     []social.UserID
}

// Of returns the large accounts that a user follows according to their profile.
func (l *Large) Of(ctx context.Context, u *social.User) ([]social.UserID, error) {
	if u.LargeFollowsVersion == 0 {
		return nil, nil
	}
	f := l.followsOf(u.UserID)
	f.mu.Lock()
	defer f.mu.Unlock()
	return l.load(ctx, f, u)
}

// Follows reports whether a user follows a large account. It reads nothing if it knows, which it
// does until Forget is called.
func (l *Large) Follows(ctx context.Context, follower, followed social.UserID) (bool, error) {
	ids, err := l.followed(ctx, follower)
	return slices.Contains(ids, followed), err
}

// FollowsAny reports whether a user follows any large account.
func (l *Large) FollowsAny(ctx context.Context, follower social.UserID) (bool, error) {
	ids, err := l.followed(ctx, follower)
	return len(ids) > 0, err
}

// followed returns the large accounts that a user follows, which the caller does not modify.
func (l *Large) followed(ctx context.Context, follower social.UserID) ([]social.UserID, error) {
	f := l.followsOf(follower)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loaded {
		return f.ids, nil
	}
	found, err := l.store.Accounts(ctx, []social.UserID{follower})
	if err != nil {
		return nil, err
	}
	u := found[follower]
	if u == nil {
		u = &social.User{UserID: follower}
	}
	return l.load(ctx, f, u)
}

// Forget makes Follows and FollowsAny read again.
func (l *Large) Forget(follower social.UserID) { l.follows.Remove(follower) }

func (l *Large) followsOf(id social.UserID) *largeFollows {
	f, ok := l.follows.Get(id)
	if !ok {
		f = new(largeFollows)
		l.follows.Add(id, f, idWeight)
	}
	return f
}

// load brings f, which is locked, up to the version in a profile.
func (l *Large) load(ctx context.Context, f *largeFollows, u *social.User) ([]social.UserID, error) {
	at := version{u.SignedUpAt, u.LargeFollowsVersion}
	if f.loaded && f.version == at {
		return f.ids, nil
	}
	var ids []social.UserID
	if at.number > 0 {
		var err error
		if ids, err = l.store.LargeFollowsOf(ctx, u.UserID); err != nil {
			return nil, err
		}
	}
	f.loaded, f.version, f.ids = true, at, ids
	if held, ok := l.follows.Get(u.UserID); ok && held == f {
		l.follows.Add(u.UserID, f, idWeight*(1+len(ids)))
	}
	return ids, nil
}

// keptPosts is the number of newest posts of an account that are kept in memory: a page and the
// entry that shows whether another follows.
const keptPosts = page.Max + 1

// How long posts of an account are kept at the same version. They are listed by an index, which
// may lag behind the version for a moment.
const (
	settles   = 5 * time.Second
	unsettled = time.Second
	keptFor   = time.Minute
)

// newest are the newest posts of an account, newest first.
type newest struct {
	mu      sync.Mutex
	version version
	// seen is when the version was first seen, read when the posts were read.
	seen, read time.Time
	entries    []social.FeedItem
	// all is set if there are no others.
	all bool
}

// before returns up to most posts of a large account that come after a place in a feed, newest
// first. The zero place is before all posts.
func (l *Large) before(ctx context.Context, account *social.User, place social.FeedItem, most int) ([]social.FeedItem, error) {
	n, ok := l.posts.Get(account.UserID)
	if !ok {
		n = new(newest)
		l.posts.Add(account.UserID, n, entryWeight)
	}
	kept, all, err := l.newest(ctx, n, account)
	if err != nil {
		return nil, err
	}
	found := following(kept, place)
	if !all && len(found) < most {
		// One post may have the very time of the place.
		older, _, err := l.store.PostedBy(ctx, account.UserID, place, most+1)
		if err != nil {
			return nil, err
		}
		found = following(older, place)
	}
	return found[:min(most, len(found))], nil
}

// newest returns the newest posts of an account, which are n if these are not outdated, and
// whether that is all of them.
func (l *Large) newest(ctx context.Context, n *newest, account *social.User) ([]social.FeedItem, bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := l.now()
	at := version{account.SignedUpAt, account.PostsVersion}
	if n.version != at || n.seen.IsZero() {
		n.version, n.seen, n.read = at, now, time.Time{}
	}
	lasts := unsettled
	if n.read.Sub(n.seen) >= settles {
		lasts = keptFor
	}
	if !n.read.IsZero() && now.Sub(n.read) < lasts {
		return n.entries, n.all, nil
	}
	entries, more, err := l.store.PostedBy(ctx, account.UserID, social.FeedItem{}, keptPosts)
	if err != nil {
		return nil, false, err
	}
	n.entries, n.all, n.read = entries, !more, now
	if held, ok := l.posts.Get(account.UserID); ok && held == n {
		l.posts.Add(account.UserID, n, entryWeight*(1+len(entries)))
	}
	return entries, n.all, nil
}

// following returns the entries that come after a place.
func following(entries []social.FeedItem, place social.FeedItem) []social.FeedItem {
	if place.PostedAt.IsZero() {
		return entries
	}
	at, found := slices.BinarySearchFunc(entries, place, social.FeedItem.Compare)
	if found {
		at++
	}
	return entries[at:]
}

// merged returns a page of a feed that consists of what has been copied into it and of the posts
// of large accounts. It is the page that the feed would have if all of them were copied.
func (s *Service) merged(ctx context.Context, user social.UserID, accounts []social.UserID, q page.Query) (page.Page[social.PostID], error) {
	var place social.FeedItem
	if q.After != "" {
		var err error
		if place, err = s.Store.Place(user, q.After); err != nil {
			return page.Page[social.PostID]{}, err
		}
	}
	var copied page.Page[social.FeedItem]
	lists := make([][]social.FeedItem, len(accounts))
	err := together.Do(ctx,
		func(ctx context.Context) (err error) {
			copied, err = s.Store.Entries(ctx, user, q)
			return err
		},
		func(ctx context.Context) error {
			found, err := s.Large.store.Accounts(ctx, accounts)
			if err != nil {
				return err
			}
			return together.Each(ctx, len(accounts), len(accounts), func(ctx context.Context, i int) (err error) {
				if account := found[accounts[i]]; account != nil {
					lists[i], err = s.Large.before(ctx, account, place, q.First+1)
				}
				return err
			})
		},
	)
	if err != nil {
		return page.Page[social.PostID]{}, err
	}
	// Copies end with the page that was read of them, and what is older belongs to later pages.
	// There are enough of them in that case.
	more := copied.Next != ""
	entries := copied.Items
	for _, list := range lists {
		for _, e := range list {
			if more && e.Compare(copied.Items[len(copied.Items)-1]) > 0 {
				break
			}
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, social.FeedItem.Compare)
	entries = slices.CompactFunc(entries, func(a, b social.FeedItem) bool { return a.PostID == b.PostID })
	if len(entries) > q.First {
		entries, more = entries[:q.First], true
	}
	p := page.Page[social.PostID]{Items: make([]social.PostID, len(entries))}
	for i, e := range entries {
		p.Items[i] = e.PostID
	}
	if more {
		last := entries[len(entries)-1]
		last.FeedUserID = user
		p.Next, err = s.Store.Token(last)
	}
	return p, err
}
