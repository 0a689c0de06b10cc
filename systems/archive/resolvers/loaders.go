package resolvers

import (
	"context"
	"errors"
	"slices"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/resolve"
	"stoa/systems/archive"
)

// loaders batch reads for many items of one operation.
type loaders struct {
	collections *batch.Loader[archive.ID, *archive.Collection]
	categories  *batch.Loader[archive.ID, *archive.Category]
	places      *batch.Loader[archive.ID, *archive.Place]

	mu sync.Mutex
	// beside contains records of households that were read together with one of them.
	beside map[*archive.Household][]*archive.SeenRecord
}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(archive.WithMemo(ctx), func(ctx context.Context) *loaders {
		return &loaders{
			collections: resolve.Shown(ctx, r.Gather, r.Catalog.Several),
			categories:  resolve.Shown(ctx, r.Gather, r.Catalog.CategoriesOf),
			places:      batch.New(ctx, r.Gather, r.Places.Around),
			beside:      map[*archive.Household][]*archive.SeenRecord{},
		}
	})
}

func load(ctx context.Context) *loaders { return batch.From[loaders](ctx) }

// collection returns the collection of a post.
func (r *Resolver) collection(ctx context.Context, p *archive.Post) (*archive.Collection, error) {
	c, found, err := load(ctx).collections.Load(ctx, p.CollectionID)
	if err == nil && !found {
		err = archive.ErrNoCollection
	}
	return c, err
}

// around returns the place that contains another one, or nil for 0 and for a place that
// does not exist.
func (r *Resolver) around(ctx context.Context, id archive.ID) (*archive.Place, error) {
	if id == 0 {
		return nil, nil
	}
	return load(ctx).places.One(ctx, id)
}

// keep stores the records of a household that were read together with one of them.
func (l *loaders) keep(h *archive.Household, records []*archive.SeenRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beside[h] = records
}

func (l *loaders) kept(h *archive.Household) ([]*archive.SeenRecord, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	records, ok := l.beside[h]
	return records, ok
}

// loadAll loads several things in one batch, in order, omitting those that do not exist.
func loadAll[T any](ctx context.Context, l *batch.Loader[archive.ID, *T], ids []archive.ID) ([]*T, error) {
	found, errs := make([]*T, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { found[i], errs[i] = l.One(ctx, id) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(t *T) bool { return t == nil }), nil
}
