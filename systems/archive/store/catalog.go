package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Catalog stores categories and collections.
type Catalog struct{ Reader }

// Categories returns categories ordered by name, from gsi_sk_altSort.
func (s *Catalog) Categories(ctx context.Context, prefix string, q page.Query) (page.Page[*archive.Category], error) {
	return list(ctx, s.db, beginning(categories.Begins(BySort), prefix), q, (*categoryItem).category)
}

// Collections returns collections ordered by name, from gsi_sk_altSort.
func (s *Catalog) Collections(ctx context.Context, prefix string, q page.Query) (page.Page[*archive.Collection], error) {
	return list(ctx, s.db, beginning(collections.Begins(BySort), prefix), q, (*collectionItem).collection)
}

// CollectionIDs returns the collections of a category ordered by id, from gsi_sk_altSort.
func (s *Catalog) CollectionIDs(ctx context.Context, category archive.ID, q page.Query) (page.Page[archive.ID], error) {
	return list(ctx, s.db, links.Begins(BySort, category.String()), q, func(i *linkItem) archive.ID { return idOf(i.CollectionID) })
}

// CreateCategory fails with ErrNameTaken.
func (s *Catalog) CreateCategory(ctx context.Context, c *archive.Category) error {
	tx := s.db.NewTx()
	name := categoryNames.Create(tx, categoryNameOf(c))
	categories.Create(tx, categoryItemOf(c))
	return stored.Outcome(tx.Run(ctx), stored.On(archive.ErrNameTaken, name))
}

// RenameCategory stores a renamed category, with the guard of its name. It must be as read.
// It fails with ErrNameTaken.
func (s *Catalog) RenameCategory(ctx context.Context, before, after *archive.Category) error {
	tx := s.db.NewTx()
	w := categories.Change(tx, categoryItemOf(before), categoryItemOf(after)).If(asRead, before.LastUpdateTime)
	if archive.Fold(before.Name) == archive.Fold(after.Name) {
		return stored.Outcome(tx.Run(ctx))
	}
	guard := categoryNameOf(before)
	categoryNames.Delete(tx, categoryNames.KeyOf(&guard)).If("category_id = ?", before.ID)
	name := categoryNames.Create(tx, categoryNameOf(after))
	// If the category has changed, the name may be taken by this very change.
	return stored.Outcome(tx.Run(ctx), stored.On(refusal.ErrChanged, w), stored.On(archive.ErrNameTaken, name))
}

// DeleteCategory deletes a category, which must be as read. It fails with ErrInUse if it
// contains collections.
func (s *Catalog) DeleteCategory(ctx context.Context, c *archive.Category) error {
	guard := categoryNameOf(c)
	tx := s.db.NewTx()
	categoryNames.Delete(tx, categoryNames.KeyOf(&guard)).If("category_id = ?", c.ID)
	w := categories.Delete(tx, categoryKey(c.ID)).If(asRead+" AND CollectionCount = ?", c.LastUpdateTime, 0)
	inUse := func(now *categoryItem) bool { return now.CollectionCount > 0 }
	return stored.Outcome(tx.Run(ctx), stored.OnItem(archive.ErrInUse, categories, w, inUse))
}

// CreateCollection stores a collection in its categories. It fails with a BadReference to
// the first that does not exist.
func (s *Catalog) CreateCollection(ctx context.Context, c *archive.Collection) error {
	tx := s.db.NewTx()
	collections.Create(tx, collectionItemOf(c))
	entered := enter(tx, c.ID, c.CategoryIDs)
	return stored.Outcome(tx.Run(ctx), missingCategory(c.CategoryIDs, entered))
}

// EditCollection stores an edited collection and its links. It must be as read. It fails
// with a BadReference like CreateCollection.
func (s *Catalog) EditCollection(ctx context.Context, before, after *archive.Collection) error {
	tx := s.db.NewTx()
	w := collections.Change(tx, collectionItemOf(before), collectionItemOf(after)).If(asRead, before.LastUpdateTime)
	added := archive.Without(after.CategoryIDs, before.CategoryIDs)
	entered := enter(tx, after.ID, added)
	leave(tx, after.ID, archive.Without(before.CategoryIDs, after.CategoryIDs))
	return stored.Outcome(tx.Run(ctx), stored.On(refusal.ErrChanged, w), missingCategory(added, entered))
}

// DeleteCollection deletes a collection, which must be as read. It fails with ErrInUse if
// it has posts.
func (s *Catalog) DeleteCollection(ctx context.Context, c *archive.Collection) error {
	tx := s.db.NewTx()
	w := collections.Delete(tx, collectionKey(c.ID)).If(asRead+" AND PostCount = ?", c.LastUpdateTime, 0)
	leave(tx, c.ID, c.CategoryIDs)
	inUse := func(now *collectionItem) bool { return now.PostCount > 0 }
	return stored.Outcome(tx.Run(ctx), stored.OnItem(archive.ErrInUse, collections, w, inUse))
}

// enter adds a collection to categories, which must exist.
func enter(tx *keyspec.Tx, collection archive.ID, ids []archive.ID) (entered []keyspec.Action) {
	for _, id := range ids {
		l := linkOf(collection, id)
		links.Put(tx, l)
		linkCounts.Moved(tx, nil, &l)
		entered = append(entered, categories.Update(tx, categoryKey(id)).If("attribute_exists(insert_time)"))
	}
	return entered
}

// leave removes a collection from categories.
func leave(tx *keyspec.Tx, collection archive.ID, ids []archive.ID) {
	for _, id := range ids {
		l := linkOf(collection, id)
		links.Delete(tx, links.KeyOf(&l))
		linkCounts.Moved(tx, &l, nil)
	}
}

// missingCategory is the reason if a collection cannot enter one of some categories.
func missingCategory(ids []archive.ID, entered []keyspec.Action) stored.Reason {
	return func(failed error) error {
		for i, a := range entered {
			if keyspec.Refused(failed, a) {
				return archive.BadReference("category", ids[i])
			}
		}
		return nil
	}
}
