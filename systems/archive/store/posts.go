package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// Posts stores posts.
type Posts struct{ Reader }

// All returns posts by collection, from gsi_sk_altSort.
func (s *Posts) All(ctx context.Context, q page.Query) (page.Page[*archive.Post], error) {
	return list(ctx, s.db, posts.Begins(BySort), q, (*postItem).post)
}

// OfCollection returns the posts of a collection, from gsi_sk_altSort.
func (s *Posts) OfCollection(ctx context.Context, id archive.ID, q page.Query) (page.Page[*archive.Post], error) {
	return list(ctx, s.db, posts.Begins(BySort, id.Padded()), q, (*postItem).post)
}

// Create stores a post in its collection, with its references to uploads of which something
// is stored. It fails with a BadReference if the collection does not exist.
func (s *Posts) Create(ctx context.Context, p *archive.Post, referred []string, events ...outbox.Record) error {
	item := postItemOf(p)
	tx := s.db.NewTx()
	posts.Create(tx, item)
	postCounts.Moved(tx, nil, &item)
	c := collections.Update(tx, collectionKey(p.CollectionID)).If("attribute_exists(insert_time)")
	refer(tx, p.ID, referred)
	return stored.Outcome(ops.Commit(ctx, tx, events...), stored.On(archive.BadReference("collection", p.CollectionID), c))
}

// Change stores a changed post, which must be as read. A post to be published must have
// records at that moment.
func (s *Posts) Change(ctx context.Context, before, after *archive.Post, events ...outbox.Record) error {
	tx := s.db.NewTx()
	changePost(tx, before, after)
	return stored.Outcome(ops.Commit(ctx, tx, events...))
}

// Edit is Change, and also stores new references to uploads of which something is stored.
func (s *Posts) Edit(ctx context.Context, before, after *archive.Post, referred []string, events ...outbox.Record) error {
	tx := s.db.NewTx()
	changePost(tx, before, after)
	refer(tx, after.ID, referred)
	return stored.Outcome(ops.Commit(ctx, tx, events...))
}

// Import is Change by an import, and also stores what its user has imported. That must be as
// read.
func (s *Posts) Import(ctx context.Context, before, after *archive.Post, from, to *archive.User, events ...outbox.Record) error {
	tx := s.db.NewTx()
	changePost(tx, before, after)
	if from.Imported != to.Imported {
		u := users.Update(tx, userKey(to.ID)).Set("import_day", to.Imported.Day).Set("import_rows", to.Imported.Rows)
		if from.Imported == (archive.Imported{}) {
			u.If("attribute_not_exists(import_day)")
		} else {
			u.If("import_day = ? AND import_rows = ?", from.Imported.Day, from.Imported.Rows)
		}
	}
	return stored.Outcome(ops.Commit(ctx, tx, events...))
}

func changePost(tx *keyspec.Tx, before, after *archive.Post) {
	u := posts.Change(tx, postItemOf(before), postItemOf(after)).
		If(asRead+" AND post_status = ?", before.LastUpdateTime, storedStatuses.stored(before.Status))
	if after.Status == archive.ToPublish && before.Status != after.Status {
		u.If("record_count > ?", 0)
	}
}

// Delete deletes a post that is being deleted and has no content left. It fails with
// ErrNoPost if it is gone.
func (s *Posts) Delete(ctx context.Context, p *archive.Post, events ...outbox.Record) error {
	item := postItemOf(p)
	tx := s.db.NewTx()
	w := posts.Delete(tx, postKey(p.ID)).If("deleting = ?", true)
	postCounts.Moved(tx, &item, nil)
	return stored.Outcome(ops.Commit(ctx, tx, events...), stored.On(archive.ErrNoPost, w))
}
