package store

import (
	"context"
	"math"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// InAlbum returns the posts shown in an album, by rank, from K3.
func (s *Posts) InAlbum(ctx context.Context, id social.AlbumID, q page.Query) (page.Page[social.PostID], error) {
	return stored.List(ctx, s.db, behind(id, social.Unranked), q, false, idOfPost)
}

// Behind returns the post of an album with the lowest rank above the given one, or nil if
// there is none.
func (s *Posts) Behind(ctx context.Context, id social.AlbumID, rank float64) (*social.PostPlace, error) {
	next, err := stored.List(ctx, s.db, behind(id, rank), page.Query{First: 1}, false, func(i *social.Post) *social.PostPlace {
		return &social.PostPlace{PostID: i.PostID, Rank: i.AlbumRank}
	})
	if err != nil || len(next.Items) == 0 {
		return nil, err
	}
	return next.Items[0], nil
}

// leastRank is the smallest positive rank that queries use. DynamoDB has no positive
// numbers below 1e-130.
const leastRank = 1e-120

// behind returns the range of posts in an album with ranks above the given one.
func behind(id social.AlbumID, rank float64) keyspec.Range[social.Post] {
	above := math.Nextafter(rank, math.Inf(1))
	if rank == 0 {
		above = leastRank
	}
	return posts.Begins(K3, string(id)).From(strconv.FormatFloat(above, 'f', -1, 64))
}

// LeftInAlbum returns up to most posts that are in an album, shown or not.
func (s *Posts) LeftInAlbum(ctx context.Context, id social.AlbumID, most int) ([]social.PostID, error) {
	left, err := stored.List(ctx, s.db, posts.Begins(K3, string(id)), page.Query{First: most}, false, idOfPost)
	return left.Items, err
}

// Unshelve removes posts from an album that no longer exists, all or none. It fails with
// Conflict if one of them has changed.
func (s *Posts) Unshelve(ctx context.Context, left []*social.Post) error {
	tx := s.db.NewTx()
	for _, p := range left {
		before := storedPost(p)
		after := *before
		after.AlbumID, after.AlbumRank = "", 0
		asBefore(posts.Change(tx, *before, after), before)
	}
	return stored.Outcome(tx.Run(ctx))
}
