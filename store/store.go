package store

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
)

// Store is the stored state of one deployment.
type Store struct {
	Users      *Users
	Follows    *Follows
	Posts      *Posts
	Likes      *Likes
	Comments   *Comments
	Feeds      *Feeds
	Outbox     *Outbox
	Leases     *Leases
	Identities *Identities
	Imports    *Imports

	db *keyspec.DB
}

// Open joins the store to tables whose names begin with a prefix.
func Open(db *dynamo.DB, prefix string) *Store {
	tables := keyspec.Open(db, prefix, Main, Feed, Ops)
	return &Store{
		Users:      &Users{tables},
		Follows:    &Follows{tables},
		Posts:      &Posts{tables},
		Likes:      &Likes{tables},
		Comments:   &Comments{tables},
		Feeds:      &Feeds{tables},
		Outbox:     &Outbox{tables},
		Leases:     &Leases{tables},
		Identities: &Identities{tables},
		Imports:    &Imports{tables},
		db:         tables,
	}
}

// CreateTables makes the tables that are missing. It fails when one is there but not
// as declared.
func (s *Store) CreateTables(ctx context.Context) error { return s.db.CreateTables(ctx) }

// Compare lists in which respects the tables differ from what is declared.
func (s *Store) Compare(ctx context.Context) ([]keyspec.Difference, error) { return s.db.Compare(ctx) }

// Verify reads everything and reports what contradicts the declarations of rows and
// counters.
func (s *Store) Verify(ctx context.Context, report func(keyspec.Finding)) error {
	return s.db.Verify(ctx, report)
}

// OnDrift sets who is told of counters that turned out not to be what they count. Set
// it before the first write.
func (s *Store) OnDrift(report func(context.Context, keyspec.Drift)) { s.db.OnDrift = report }

// list reads a page of a range and makes a noun of each item.
func list[I, N any](ctx context.Context, db *keyspec.DB, r keyspec.Range[I], q page.Query, descending bool, noun func(*I) N) (page.Page[N], error) {
	items, next, err := r.Page(ctx, db, keyspec.Page{Limit: q.First, After: q.After, Descending: descending})
	if errors.Is(err, keyspec.ErrCursor) {
		return page.Page[N]{}, page.ErrToken
	}
	if err != nil {
		return page.Page[N]{}, err
	}
	p := page.Page[N]{Items: make([]N, len(items)), Next: next}
	for i := range items {
		p.Items[i] = noun(&items[i])
	}
	return p, nil
}
