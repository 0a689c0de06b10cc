package store

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/systems/archive"
)

// Uploads stores uploads.
type Uploads struct{ Reader }

// Create stores a new upload.
func (s *Uploads) Create(ctx context.Context, u *archive.StoredUpload) error {
	tx := s.db.NewTx()
	uploads.Create(tx, uploadItemOf(u))
	return stored.Outcome(tx.Run(ctx))
}

// Unused returns the uploads that no post has referred to since a time, from gsi_sk_altSort.
func (s *Uploads) Unused(ctx context.Context, since time.Time, q page.Query) (page.Page[*archive.StoredUpload], error) {
	return list(ctx, s.db, uploads.Begins(BySort).To(archive.FormatTime(since)), q, (*uploadItem).upload)
}

// Release stores an upload to which a post no longer refers. Both must be as read; p is nil
// if the post does not exist.
func (s *Uploads) Release(ctx context.Context, before, after *archive.StoredUpload, post archive.ID, p *archive.Post) error {
	tx := s.db.NewTx()
	change(tx, before, after)
	if p == nil {
		posts.Check(tx, postKey(post)).Absent()
	} else {
		posts.Check(tx, postKey(post)).If(asRead, p.LastUpdateTime)
	}
	return stored.Outcome(tx.Run(ctx))
}

// MarkForDeletion stores an upload to be deleted. It must be as read.
func (s *Uploads) MarkForDeletion(ctx context.Context, before, after *archive.StoredUpload) error {
	tx := s.db.NewTx()
	change(tx, before, after)
	return stored.Outcome(tx.Run(ctx))
}

func change(tx *keyspec.Tx, before, after *archive.StoredUpload) {
	from := uploadItemOf(before)
	u := uploads.Change(tx, from, uploadItemOf(after))
	if len(from.Posts) == 0 {
		u.If("attribute_not_exists(posts)")
	} else {
		u.If("posts = ?", from.Posts)
	}
}

// Delete deletes an upload.
func (s *Uploads) Delete(ctx context.Context, key string) error {
	tx := s.db.NewTx()
	uploads.Delete(tx, uploadKey(key))
	return stored.Outcome(tx.Run(ctx))
}

// refer adds references of a post to uploads, which must not be being deleted.
func refer(tx *keyspec.Tx, post archive.ID, keys []string) {
	for _, key := range keys {
		uploads.Update(tx, uploadKey(key)).Include("posts", post.String()).Remove("unused_since").If("attribute_not_exists(deleting)")
	}
}
