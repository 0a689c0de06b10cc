package store

import (
	"context"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Trends stores which posts and users have been viewed a lot lately. Trends of posts are
// created, raised and removed in the transactions of posts and of views.
type Trends struct{ db *keyspec.DB }

// Facts returns the owner of a post and the trends of both, in one call.
func (s *Trends) Facts(ctx context.Context, post social.PostID, owner social.UserID) (social.TrendFacts, error) {
	b := s.db.NewBatch()
	profile := profiles.Fetch(b, profileKey(owner))
	ofPost := postTrending.Fetch(b, postTrendKey(post))
	ofUser := userTrending.Fetch(b, userTrendKey(owner))
	if err := b.Run(ctx); err != nil {
		return social.TrendFacts{}, err
	}
	var f social.TrendFacts
	if item := profile.At(0); item != nil {
		f.Owner = item.user()
	}
	if item := ofPost.At(0); item != nil {
		f.Post = &item.Trend
	}
	if item := ofUser.At(0); item != nil {
		f.User = &item.Trend
	}
	return f, nil
}

// Posts returns trending posts, highest score first, by A4.
func (s *Trends) Posts(ctx context.Context, q page.Query) (page.Page[social.PostID], error) {
	return stored.List(ctx, s.db, postTrending.Begins(A4), q, true, func(i *postTrendingItem) social.PostID { return i.PostID })
}

// Users returns trending users, highest score first, by A4.
func (s *Trends) Users(ctx context.Context, q page.Query) (page.Page[social.UserID], error) {
	return stored.List(ctx, s.db, userTrending.Begins(A4), q, true, func(i *userTrendingItem) social.UserID { return i.UserID })
}

// takeTrends adds the points of a view to a transaction. Concurrent additions are
// preserved. It requires that the trends have not been deflated since they were read.
func takeTrends(tx *keyspec.Tx, step social.PostViewStep) []keyspec.Action {
	profiles.Check(tx, profileKey(step.Post.PostedByUserID)).If(hadProfile, step.Post.PostedAt)
	return []keyspec.Action{
		takeTrend(tx, postTrending, postTrendKey(step.Post.PostID), step.Trend.Post, func(t social.Trend) postTrendingItem {
			return postTrendingItem{step.Post.PostID, t}
		}),
		takeTrend(tx, userTrending, userTrendKey(step.Post.PostedByUserID), step.Trend.User, func(t social.Trend) userTrendingItem {
			return userTrendingItem{step.Post.PostedByUserID, t}
		}),
	}
}

func takeTrend[T any](tx *keyspec.Tx, rows *keyspec.Entity[T], key keyspec.Key, e social.Earning, item func(social.Trend) T) keyspec.Action {
	if e.Before == nil {
		return rows.Create(tx, item(*e.After))
	}
	return rows.Update(tx, key).If("lastDeflatedAt = ?", e.Before.LastDeflatedAt).
		Raise("score", keyspec.Numeral(strconv.FormatFloat(e.Points, 'f', -1, 64)))
}

// DeflatePosts halves the trends of posts for each day that has begun, and returns their
// number.
func (s *Trends) DeflatePosts(ctx context.Context, now time.Time) (int, error) {
	return deflate(ctx, s.db, postTrending, func(i *postTrendingItem) *social.Trend { return &i.Trend }, now)
}

// DeflateUsers is like DeflatePosts, for users.
func (s *Trends) DeflateUsers(ctx context.Context, now time.Time) (int, error) {
	return deflate(ctx, s.db, userTrending, func(i *userTrendingItem) *social.Trend { return &i.Trend }, now)
}

// CutPosts removes up to most of the lowest trends of posts, as far as they are negligible.
func (s *Trends) CutPosts(ctx context.Context, most int) error {
	return cut(ctx, s.db, postTrending, func(i *postTrendingItem) *social.Trend { return &i.Trend }, most)
}

// CutUsers is like CutPosts, for users.
func (s *Trends) CutUsers(ctx context.Context, most int) error {
	return cut(ctx, s.db, userTrending, func(i *userTrendingItem) *social.Trend { return &i.Trend }, most)
}

// RemoveUser removes a user's trend unless they have a profile.
func (s *Trends) RemoveUser(ctx context.Context, id social.UserID) error {
	tx := s.db.NewTx()
	userTrending.Delete(tx, userTrendKey(id))
	gone := profiles.Check(tx, profileKey(id)).Absent()
	err := tx.Run(ctx)
	if keyspec.Refused(err, gone) {
		return nil
	}
	return err
}

// maxDeflations is the number of attempts to deflate a trend that is changed concurrently.
const maxDeflations = 3

// deflate deflates all rows. It collects them first, because deflation moves them within
// the index.
func deflate[T any](ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[T], of func(*T) *social.Trend, now time.Time) (int, error) {
	var all []T
	for item, err := range rows.Begins(A4).All(ctx, db) {
		if err != nil {
			return 0, err
		}
		all = append(all, item)
	}
	for i := range all {
		if err := deflateOne(ctx, db, rows, &all[i], of, now); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

func deflateOne[T any](ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[T], item *T, of func(*T) *social.Trend, now time.Time) error {
	for range maxDeflations {
		before := of(item)
		after := before.Deflated(now)
		if after == before {
			return nil
		}
		tx, changed := db.NewTx(), *item
		*of(&changed) = *after
		u := rows.Change(tx, *item, changed).If("score = ? AND lastDeflatedAt = ?", before.Score, before.LastDeflatedAt)
		err := tx.Run(ctx)
		if !keyspec.Refused(err, u) {
			return err
		}
		if item, err = rows.Get(ctx, db, rows.KeyOf(item)); item == nil || err != nil {
			return err
		}
	}
	return nil // it is in active use, and will be deflated later
}

// cut removes up to most negligible rows, lowest score first.
func cut[T any](ctx context.Context, db *keyspec.DB, rows *keyspec.Entity[T], of func(*T) *social.Trend, most int) error {
	var low []T
	for item, err := range rows.Begins(A4).All(ctx, db) {
		if err != nil {
			return err
		}
		if len(low) == most || !of(&item).Negligible() {
			break
		}
		low = append(low, item)
	}
	for i := range low {
		tx := db.NewTx()
		gone := rows.Delete(tx, rows.KeyOf(&low[i])).If("score = ?", of(&low[i]).Score)
		if err := tx.Run(ctx); err != nil && !keyspec.Refused(err, gone) {
			return err
		}
	}
	return nil
}
