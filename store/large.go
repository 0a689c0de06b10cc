package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// The large accounts whose posts a user's feed is read with, by follower.
var largeFollows = keyspec.Define[social.LargeFollow](ops.Table, keyspec.Row{
	Key: keyspec.K("largeFollow/{followerUserId}", "{followedUserId}"),
})

func largeFollowKey(follower, followed social.UserID) keyspec.Key {
	return largeFollows.Key(string(follower), string(followed))
}

// Post returns a post and the profile of a user, who may have posted it; nil for what does not
// exist.
func (s *Feeds) Post(ctx context.Context, id social.PostID, owner social.UserID) (*social.Post, *social.User, error) {
	b := s.db.NewBatch()
	post := posts.Fetch(b, postKey(id))
	profile := profiles.Fetch(b, profileKey(owner))
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	return post.At(0), profile.At(0).present(), nil
}

// Follow returns a follow, the large follow beside it, and the profile of the followed user; nil
// for what does not exist.
func (s *Feeds) Follow(ctx context.Context, follower, followed social.UserID) (*social.Follow, *social.LargeFollow, *social.User, error) {
	b := s.db.NewBatch()
	follow := follows.Fetch(b, followKey(follower, followed))
	large := largeFollows.Fetch(b, largeFollowKey(follower, followed))
	profile := profiles.Fetch(b, profileKey(followed))
	if err := b.Run(ctx); err != nil {
		return nil, nil, nil, err
	}
	return follow.At(0), large.At(0), profile.At(0).present(), nil
}

// present returns the user of a profile, or nil if there is none.
func (i *profileItem) present() *social.User {
	if !i.isThere() {
		return nil
	}
	return i.user()
}

// Followers returns a page of a user's followers, the first ones first, from A2 of the main
// table: whoever follows meanwhile is on a later page.
func (s *Feeds) Followers(ctx context.Context, followed social.UserID, q page.Query) (page.Page[social.Follow], error) {
	return stored.List(ctx, s.db, follows.Begins(A2, string(followed), string(social.Following)), q, false, stored.Value)
}

// LargeFollows returns those of some large follows that exist.
func (s *Feeds) LargeFollows(ctx context.Context, of []social.Follow) ([]social.LargeFollow, error) {
	b := s.db.NewBatch()
	found := largeFollows.FetchEach(b, len(of), func(i int) keyspec.Key { return largeFollowKey(of[i].FollowerUserID, of[i].FollowedUserID) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var all []social.LargeFollow
	for i := range of {
		if f := found.At(i); f != nil {
			all = append(all, *f)
		}
	}
	return all, nil
}

// LargeFollowsOf returns the large accounts that a user follows, from the primary key.
func (s *Feeds) LargeFollowsOf(ctx context.Context, follower social.UserID) ([]social.UserID, error) {
	var all []social.UserID
	for f, err := range largeFollows.Begins(keyspec.Primary, string(follower)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		all = append(all, f.FollowedUserID)
	}
	return all, nil
}

// AddLarge stores large follows of different followers, all or none. It fails with Conflict if one
// of them no longer follows or has no profile.
func (s *Feeds) AddLarge(ctx context.Context, added []social.LargeFollow) error {
	tx := s.db.NewTx()
	for _, f := range added {
		largeFollows.Put(tx, f)
		follows.Check(tx, followKey(f.FollowerUserID, f.FollowedUserID)).If("followStatus = ?", social.Following)
		profiles.Update(tx, profileKey(f.FollowerUserID)).If("attribute_exists(userId)").Shift("largeFollowsVersion", 1)
	}
	return stored.Outcome(tx.Run(ctx))
}

// DropLarge deletes large follows of different followers, all or none. It fails with Conflict if
// one of them is gone or has been replaced, or if a follower has no profile.
func (s *Feeds) DropLarge(ctx context.Context, dropped []social.LargeFollow) error {
	tx := s.db.NewTx()
	for _, f := range dropped {
		largeFollows.Delete(tx, largeFollows.KeyOf(&f)).If("delivery = ?", f.Delivery)
		profiles.Update(tx, profileKey(f.FollowerUserID)).If("attribute_exists(userId)").Shift("largeFollowsVersion", 1)
	}
	return stored.Outcome(tx.Run(ctx))
}

// EndLarge deletes the large follow of somebody who no longer follows. It fails with Conflict if
// they do again.
func (s *Feeds) EndLarge(ctx context.Context, ended social.LargeFollow) error {
	profile, err := profiles.Get(ctx, s.db, profileKey(ended.FollowerUserID))
	if err != nil {
		return err
	}
	tx := s.db.NewTx()
	largeFollows.Delete(tx, largeFollows.KeyOf(&ended))
	follows.Check(tx, followKey(ended.FollowerUserID, ended.FollowedUserID)).If("attribute_not_exists(followStatus) OR followStatus <> ?", social.Following)
	if profile == nil {
		profiles.Check(tx, profileKey(ended.FollowerUserID)).Absent()
	} else {
		profiles.Update(tx, profileKey(ended.FollowerUserID)).If("attribute_exists(userId)").Shift("largeFollowsVersion", 1)
	}
	return stored.Outcome(tx.Run(ctx))
}

// Deliver stores a change of the delivery of a user's posts from the one before, and e. It fails
// with Conflict if it is no longer that.
func (s *Feeds) Deliver(ctx context.Context, to social.DeliveryChanged, e ...outbox.Record) error {
	tx := s.db.NewTx()
	u := profiles.Update(tx, profileKey(to.UserID)).Set("delivery", to.Delivery)
	if from := to.Delivery - 1; from == 0 {
		u.If("attribute_exists(userId) AND attribute_not_exists(delivery)")
	} else {
		u.If("delivery = ?", from)
	}
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// Accounts returns the profiles of those users who exist.
func (s *Feeds) Accounts(ctx context.Context, ids []social.UserID) (map[social.UserID]*social.User, error) {
	return stored.Load(ctx, s.db, profiles, ids, profileKey, (*profileItem).user)
}

// Entries returns a page of the posts that were copied into a user's feed, newest first, from A1 of
// the feed table.
func (s *Feeds) Entries(ctx context.Context, user social.UserID, q page.Query) (page.Page[social.FeedItem], error) {
	return stored.List(ctx, s.db, feedOf(user), q, true, stored.Value)
}

func feedOf(user social.UserID) keyspec.Range[social.FeedItem] {
	return feedRows.Begins(FeedA1, string(user))
}

// Token returns the token of the page after an entry, which need not be stored.
func (s *Feeds) Token(entry social.FeedItem) (string, error) {
	return feedOf(entry.FeedUserID).CursorAfter(&entry, true)
}

// Place returns the entry that a token of a user's feed follows, with its post and time. It fails
// with page.ErrToken if it is no such token.
func (s *Feeds) Place(user social.UserID, token string) (social.FeedItem, error) {
	entry, err := feedOf(user).ItemBefore(token, true)
	return entry, stored.ListError(err)
}

// PostedBy returns up to most completed posts of a user as entries of no feed, newest first, from
// A2 of the main table. If until is not zero, it begins with a post of that time.
func (s *Feeds) PostedBy(ctx context.Context, owner social.UserID, until social.FeedItem, most int) (entries []social.FeedItem, more bool, err error) {
	r := posts.Begins(A2, string(owner), string(social.PostCompleted))
	if !until.PostedAt.IsZero() {
		r = r.To(stamp.MicroOf(until.PostedAt))
	}
	p, err := stored.List(ctx, s.db, r, page.Query{First: most}, true, func(p *social.Post) social.FeedItem {
		return social.FeedItem{PostID: p.PostID, PostedByUserID: p.PostedByUserID, PostedAt: p.PostedAt}
	})
	return p.Items, p.Next != "", err
}
