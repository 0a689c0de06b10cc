package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/social"
)

// Albums stores albums. The posts they show are stored with the posts.
type Albums struct{ db *keyspec.DB }

func albumKey(id social.AlbumID) keyspec.Key { return albums.Key(string(id)) }

// Facts returns those albums that exist, in one call.
func (s *Albums) Facts(ctx context.Context, viewer social.UserID, ids []social.AlbumID) (map[social.AlbumID]social.AlbumFacts, error) {
	return stored.Load(ctx, s.db, albums, ids, albumKey, func(a *social.Album) social.AlbumFacts {
		return social.AlbumFacts{Viewer: viewer, Album: a}
	})
}

// ByUser returns the albums of a user as facts for a viewer, from A1, in either order of
// creation.
func (s *Albums) ByUser(ctx context.Context, viewer, owner social.UserID, q page.Query, reverse bool) (page.Page[social.AlbumFacts], error) {
	return stored.List(ctx, s.db, albums.Begins(A1, string(owner)), q, reverse, func(a *social.Album) social.AlbumFacts {
		return social.AlbumFacts{Viewer: viewer, Album: a}
	})
}

// Add stores a new album, its owner's counter, and the records e. It fails with ErrTaken if
// the id is in use, and with Conflict if the owner no longer exists.
func (s *Albums) Add(ctx context.Context, a *social.Album, e ...outbox.Record) error {
	tx := s.db.NewTx()
	created := albums.Create(tx, *a)
	profiles.Check(tx, albumOwner(a)).If(hadProfile, a.CreatedAt)
	albumCounts.Moved(tx, nil, a)
	return stored.Outcome(ops.Commit(ctx, tx, e...), stored.On(refusal.ErrTaken, created))
}

// Edit stores the fields of a that edit changes. It fails with Conflict if the owner no
// longer has the album.
func (s *Albums) Edit(ctx context.Context, a *social.Album, edit social.AlbumEdit) error {
	tx := s.db.NewTx()
	u := albums.Update(tx, albumKey(a.AlbumID)).If(sameAlbum, a.OwnedByUserID, a.CreatedAt)
	if edit.Name != nil {
		u.Set("name", a.Name)
	}
	if edit.Description != nil {
		u.Set("description", a.Description)
	}
	return stored.Outcome(tx.Run(ctx))
}

// Delete removes an album, updates its owner's counters, and stores e. It fails with
// Conflict if the album no longer exists.
func (s *Albums) Delete(ctx context.Context, a *social.Album, e ...outbox.Record) error {
	tx := s.db.NewTx()
	deleteAlbum(tx, a)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// DeleteLeftover removes an album of a removed profile, without updating counters, and
// stores e. It fails with Conflict if the album no longer exists, or belongs to the owner's
// current profile.
func (s *Albums) DeleteLeftover(ctx context.Context, a *social.Album, e ...outbox.Record) error {
	tx := s.db.NewTx()
	albums.Delete(tx, albumKey(a.AlbumID)).If(sameAlbum, a.OwnedByUserID, a.CreatedAt)
	profiles.Check(tx, profileKey(a.OwnedByUserID)).If(lacksProfile, a.CreatedAt)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

// SetArt stores the hash of an album's art. It fails with Conflict if the album no longer
// exists, or its stored art differs from a's.
func (s *Albums) SetArt(ctx context.Context, a *social.Album, artHash string) error {
	tx := s.db.NewTx()
	u := albums.Update(tx, albumKey(a.AlbumID)).Set("artHash", artHash).
		If(sameAlbum, a.OwnedByUserID, a.CreatedAt)
	if a.ArtHash == "" {
		u.If("attribute_not_exists(artHash)")
	} else {
		u.If("artHash = ?", a.ArtHash)
	}
	return stored.Outcome(tx.Run(ctx))
}

// Due returns the empty albums due for deletion before a time, from K1.
func (s *Albums) Due(ctx context.Context, by time.Time, q page.Query) (page.Page[social.AlbumID], error) {
	due := albums.Begins(K1).To(stamp.MicroOf(by.Add(-time.Microsecond)))
	return stored.List(ctx, s.db, due, q, false, func(a *social.Album) social.AlbumID { return a.AlbumID })
}

// DeleteEmpty is like Delete, but fails with Conflict if the album shows any post now or
// has shown one since a was read.
func (s *Albums) DeleteEmpty(ctx context.Context, a *social.Album, e ...outbox.Record) error {
	tx := s.db.NewTx()
	asArranged(deleteAlbum(tx, a).If("attribute_not_exists(postCount) OR postCount = ?", 0), a)
	return stored.Outcome(ops.Commit(ctx, tx, e...))
}

func deleteAlbum(tx *keyspec.Tx, a *social.Album) keyspec.Write {
	albumCounts.Moved(tx, a, nil)
	profiles.Check(tx, albumOwner(a)).If(hadProfile, a.CreatedAt)
	return albums.Delete(tx, albumKey(a.AlbumID)).If(sameAlbum, a.OwnedByUserID, a.CreatedAt)
}

// asArranged makes a write conditional on the album being as last updated: any change of
// its posts also changes that time.
func asArranged[W interface{ If(string, ...any) W }](w W, before *social.Album) {
	if before.PostsLastUpdatedAt.IsZero() {
		w.If("attribute_not_exists(postsLastUpdatedAt)")
	} else {
		w.If("postsLastUpdatedAt = ?", before.PostsLastUpdatedAt)
	}
}

// takeAlbumStep adds an album step to a transaction, except for the counter of its posts.
// The album must be as it was when the step was decided.
func takeAlbumStep(tx *keyspec.Tx, step social.AlbumStep) {
	before, after := *step.Before, *step.After
	if !step.Changed() {
		albums.Check(tx, albumKey(before.AlbumID)).If(sameAlbum, before.OwnedByUserID, before.CreatedAt)
		return
	}
	after.PostCount = before.PostCount
	asArranged(albums.Change(tx, before, after).If(sameAlbum, before.OwnedByUserID, before.CreatedAt), step.Before)
}

// sameAlbum distinguishes an album from a later one that reuses its id.
const sameAlbum = "ownedByUserId = ? AND createdAt = ?"
