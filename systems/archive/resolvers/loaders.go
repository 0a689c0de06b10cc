package resolvers

import (
	"context"
	"errors"
	"slices"
	"sync"

	"stoa/internal/kit/batch"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
)

// loaders batch reads for many items of one operation.
type loaders struct {
	ctx         context.Context
	make        sync.Once
	collections *batch.Loader[archive.ID, *archive.Collection]
	categories  *batch.Loader[archive.ID, *archive.Category]
	places      *batch.Loader[archive.ID, *archive.Place]

	mu sync.Mutex
	// beside contains records of households that were read together with one of them.
	beside map[*archive.Household][]*archive.SeenRecord
}

type loadersKey struct{}

// WithLoaders returns a context for one operation. ctx must contain its viewer.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	ctx = archive.WithMemo(ctx)
	return context.WithValue(ctx, loadersKey{}, &loaders{ctx: ctx, beside: map[*archive.Household][]*archive.SeenRecord{}})
}

func (r *Resolver) loaders(ctx context.Context) *loaders {
	l := ctx.Value(loadersKey{}).(*loaders)
	l.make.Do(func() {
		v := viewer.From(l.ctx)
		l.collections = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Collection, error) {
			return r.Catalog.Several(ctx, v, ids)
		})
		l.categories = batch.New(l.ctx, r.Gather, func(ctx context.Context, ids []archive.ID) (map[archive.ID]*archive.Category, error) {
			return r.Catalog.CategoriesOf(ctx, v, ids)
		})
		l.places = batch.New(l.ctx, r.Gather, r.Places.Around)
	})
	return l
}

// collection returns the collection of a post.
func (r *Resolver) collection(ctx context.Context, p *archive.Post) (*archive.Collection, error) {
	c, found, err := r.loaders(ctx).collections.Load(ctx, p.CollectionID)
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
	p, _, err := r.loaders(ctx).places.Load(ctx, id)
	return p, err
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
		all.Go(func() { found[i], _, errs[i] = l.Load(ctx, id) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(t *T) bool { return t == nil }), nil
}
