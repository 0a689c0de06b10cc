package store

import (
	"context"
	"slices"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/slice"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// BeginAgain stores a new attempt at processing an upload. It fails with Conflict if
// processing has finished.
func (s *Posts) BeginAgain(ctx context.Context, u social.PostUpload) error {
	tx := s.db.NewTx()
	uploads.Update(tx, uploadKey(u.PostID)).If("source = ?", u.Source).Set("attempts", u.Attempts).
		Set("process", u.Process).Set("at", u.At)
	return stored.Outcome(tx.Run(ctx))
}

// Uploads returns the uploads in processing, including those whose process has died.
func (s *Posts) Uploads(ctx context.Context, q page.Query) (page.Page[social.PostUpload], error) {
	return stored.List(ctx, s.db, uploads.Begins(keyspec.Primary), q, false, stored.Value)
}

// takeFiles adds a step's changes of the rows beside the post's own to a transaction.
func takeFiles(tx *keyspec.Tx, step social.PostStep, before, after *social.Post) {
	id := step.After.PostID
	if after == nil {
		if step.After.HasFiles() {
			images.Delete(tx, images.Key(string(id)))
			originalMetadata.Delete(tx, originalMetadata.Key(string(id)))
			dropChecksum(tx, before)
		}
	} else {
		putImage(tx, id, step.Image)
		if before == nil || before.Checksum != after.Checksum {
			keepChecksum(tx, after)
		}
	}
	if step.Metadata != "" {
		originalMetadata.Put(tx, originalMetadataItem{PostID: id, OriginalMetadata: step.Metadata})
	}
	switch {
	case step.Upload != nil:
		uploads.Put(tx, *step.Upload)
	case before != nil && before.Status == social.PostProcessing:
		uploads.Delete(tx, uploadKey(id))
	}
}

// sameImage is the number of posts with an image that are examined to find the first. The
// index may contain some that no longer exist.
const sameImage = 10

// FirstWith returns the first post with an image of that checksum that was posted before a
// time, or "" if there is none. It sees all committed posts.
func (s *Posts) FirstWith(ctx context.Context, checksum string, before time.Time) (social.PostID, error) {
	now, _, err := imageChecksums.Begins(keyspec.Primary, checksum).Page(ctx, s.db, keyspec.Page{Limit: sameImage})
	if err != nil {
		return "", err
	}
	indexed, _, err := posts.Begins(K2, checksum).Page(ctx, s.db, keyspec.Page{Limit: sameImage})
	if err != nil {
		return "", err
	}
	ids := slice.Map(now, func(item imageChecksumItem) social.PostID { return item.PostID })
	for _, item := range indexed {
		ids = append(ids, item.PostID)
	}
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(ids), func(i int) keyspec.Key { return postKey(ids[i]) })
	if err := b.Run(ctx); err != nil {
		return "", err
	}
	var earlier []*social.Post
	for i := range ids {
		if p := found.At(i); p != nil && p.Checksum == checksum && p.Status != social.PostDeleting && p.PostedAt.Before(before) {
			earlier = append(earlier, p)
		}
	}
	owned, err := s.owned(ctx, earlier)
	if err != nil || len(owned) == 0 {
		return "", err
	}
	return slices.MinFunc(owned, func(a, b *social.Post) int { return a.PostedAt.Compare(b.PostedAt) }).PostID, nil
}

// owned returns those posts that belong to their owner's current profile.
func (s *Posts) owned(ctx context.Context, items []*social.Post) ([]*social.Post, error) {
	if len(items) == 0 {
		return nil, nil
	}
	b := s.db.NewBatch()
	owners := profiles.FetchEach(b, len(items), func(i int) keyspec.Key { return postOwner(items[i]) })
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	var kept []*social.Post
	for i, item := range items {
		if owner := owners.At(i); owner != nil && !item.Outlives(owner.user()) {
			kept = append(kept, item)
		}
	}
	return kept, nil
}
