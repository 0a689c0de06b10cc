package store

import (
	"context"
	"errors"
	"io"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Store is the store of the archive.
type Store struct {
	Users    *Users
	Catalog  *Catalog
	Posts    *Posts
	Records  *Records
	Places   *Places
	Settings *Settings
	Uploads  *Uploads
}

// Open returns the store. db must contain Archive and the table of the outbox.
func Open(db *keyspec.DB) *Store {
	r := Reader{db}
	return &Store{&Users{r}, &Catalog{r}, &Posts{r}, &Records{r}, &Places{r}, &Settings{r}, &Uploads{r}}
}

// Reader implements reads that several parts of the store share.
type Reader struct{ db *keyspec.DB }

// Facts reads things consistently in one call.
func (r Reader) Facts(ctx context.Context, w archive.Wanted) (*archive.Facts, error) {
	b, f := stored.NewBatch(r.db), &archive.Facts{}
	stored.Into(b, &f.Users, users, w.Users, userKey, (*userItem).user)
	stored.Into(b, &f.Categories, categories, w.Categories, categoryKey, (*categoryItem).category)
	stored.Into(b, &f.Collections, collections, w.Collections, collectionKey, (*collectionItem).collection)
	stored.Into(b, &f.Posts, posts, w.Posts, postKey, (*postItem).post)
	stored.Into(b, &f.Records, records, w.Records, recordKey, (*recordItem).record)
	stored.Into(b, &f.Households, households, w.Households, householdKey, (*householdItem).household)
	stored.Into(b, &f.Uploads, uploads, w.Uploads, uploadKey, (*uploadItem).upload)
	var all keyspec.Fetched[settingsItem]
	if w.Settings {
		all = settings.Fetch(b.Batch, settings.Key())
	}
	if err := b.Run(ctx); err != nil {
		return f, err
	}
	if w.Settings {
		f.Settings = all.At(0).settings()
	}
	return f, nil
}

// Allocate allocates consecutive ids.
func (r Reader) Allocate(ctx context.Context, n int) (archive.IDRange, error) {
	ids := keyspec.Sequence{Attribute: "sequence_value", First: int64(archive.FirstID), Last: int64(archive.MaxID)}
	last, err := sequence.Advance(ctx, r.db, sequence.Key(), ids, n)
	if errors.Is(err, keyspec.ErrExhausted) {
		return archive.IDRange{}, archive.ErrIDsUsedUp
	}
	return archive.IDRange{First: archive.ID(last) - archive.ID(n) + 1, Last: archive.ID(last)}, err
}

// NewID allocates one id.
func (r Reader) NewID(ctx context.Context) (archive.ID, error) {
	block, err := r.Allocate(ctx, 1)
	return block.Last, err
}

// beginning restricts a list to items that start with a text.
func beginning[T any](r keyspec.Range[T], prefix string) keyspec.Range[T] {
	if prefix == "" {
		return r
	}
	return r.From(prefix).To(prefix + "\U0010FFFF")
}

// list reads a page of a range in ascending order.
func list[I, N any](ctx context.Context, db *keyspec.DB, r keyspec.Range[I], q page.Query, noun func(*I) N) (page.Page[N], error) {
	return stored.List(ctx, db, r, q, false, noun)
}

// one returns the first item of a range, or nil if it is empty.
func one[T any](ctx context.Context, db *keyspec.DB, r keyspec.Range[T]) (*T, error) {
	items, _, err := r.Page(ctx, db, keyspec.Page{Limit: 1})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return &items[0], nil
}

const schemaHead = `<!-- Generated from the declarations in this package: go test ./systems/archive/store -run Schema -update -->

# Tables

The name of the table is preceded by the table prefix of the deployment. Partition keys
are plain numbers, except for a few constants. Attributes are strings unless marked
otherwise; names ending in _time are times in UTC with nine fractional digits. Names in
braces that are not attributes are stored only in keys; padded ids have ten digits.

`

// WriteSchema writes the design of the table, as derived from the declarations.
func WriteSchema(w io.Writer) error { return keyspec.PrintAll(w, schemaHead, Archive) }
