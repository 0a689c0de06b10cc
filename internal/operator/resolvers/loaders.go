package resolvers

import (
	"context"
	"sync"

	"stoa/internal/desk"
	"stoa/internal/kit/batch"
	"stoa/internal/operator"
)

// loaders batch reads of the items, authors and reporters of many cases of one operation.
type loaders struct {
	items   *batch.Loader[*desk.Case, *operator.Shown]
	persons *batch.Loader[operator.UserID, *operator.Person]
	// contacts leave a line for each person and operation.
	contacts *batch.Loader[operator.UserID, *operator.Contacts]
}

// WithLoaders returns a context for one operation.
func (r *Resolver) WithLoaders(ctx context.Context) context.Context {
	return batch.With(ctx, func(ctx context.Context) *loaders {
		return &loaders{batch.New(ctx, r.Gather, r.Service.Contents), batch.New(ctx, r.Gather, r.Service.Persons), batch.New(ctx, r.Gather, r.Service.Contacts)}
	})
}

// shown returns what moderators see of a case's item.
func shown(ctx context.Context, c *desk.Case) (*operator.Shown, error) {
	return batch.From[loaders](ctx).items.One(ctx, c)
}

// person returns somebody, or nil if they are gone.
func person(ctx context.Context, id operator.UserID) (*operator.Person, error) {
	if id == "" {
		return nil, nil
	}
	return batch.From[loaders](ctx).persons.One(ctx, id)
}

// gather reads the items and authors of a whole page at once: its elements are resolved a few
// at a time, so that their lookups alone would take several calls.
func gather(ctx context.Context, cases []*desk.Case) {
	var all sync.WaitGroup
	for _, c := range cases {
		// Whoever asks for them again gets the error.
		all.Go(func() { _, _ = shown(ctx, c) })
		all.Go(func() { _, _ = person(ctx, c.AuthorID) })
	}
	all.Wait()
}

// contacts returns the contacts of a person as the caller may see them.
func contacts(ctx context.Context, p *operator.Person) (*operator.Contacts, error) {
	c, err := batch.From[loaders](ctx).contacts.One(ctx, p.ID)
	if c == nil {
		c = &operator.Contacts{}
	}
	return c, err
}
