package file

import (
	"context"
	"slices"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/systems/archive"
)

// FilesLeft deletes files that no post refers to.
func (s *Service) FilesLeft(ctx context.Context, e archive.FilesLeft, _ outbox.Tell) error {
	if e.PostID != 0 {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{e.PostID}})
		if err != nil {
			return err
		}
		if facts.Posts[e.PostID] == nil {
			if err := s.Files.DeleteTree(ctx, e.PostID.Images()); err != nil {
				return err
			}
		}
	}
	for _, key := range e.Keys {
		if err := s.left(ctx, key, e.PostID); err != nil {
			return err
		}
	}
	return nil
}

// left removes the reference of a post to an upload, unless the post refers to it again, and
// deletes an upload without references.
func (s *Service) left(ctx context.Context, key string, post archive.ID) error {
	again := false
	u, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (*archive.StoredUpload, error) {
		facts, err := s.Store.Facts(ctx, archive.Wanted{Posts: []archive.ID{post}, Uploads: []string{key}})
		if err != nil {
			return nil, err
		}
		before, p := facts.Uploads[key], facts.Posts[post]
		again = p != nil && slices.Contains(p.Keys(), key)
		if before == nil || before.Deleting || again {
			return before, nil
		}
		after := before.Without(post, s.Now())
		return after, s.Uploads.Release(ctx, before, after, post, p)
	})
	switch {
	case err != nil || again:
		return err
	case u == nil:
		return s.leftUnknown(ctx, key)
	case u.Deleting:
		return s.remove(ctx, u)
	}
	return nil
}

// leftUnknown deletes an upload of which nothing is stored, unless a post refers to it.
func (s *Service) leftUnknown(ctx context.Context, key string) error {
	there, err := s.Files.Exists(ctx, key)
	if !there || err != nil {
		return err
	}
	for post, err := range page.All(page.In(ctx, s.Store.All)) {
		if err != nil || slices.Contains(post.Keys(), key) {
			return err
		}
	}
	return s.Files.Delete(ctx, key)
}

// remove deletes the file of an upload that is being deleted, and then the upload.
func (s *Service) remove(ctx context.Context, u *archive.StoredUpload) error {
	if err := s.Files.Delete(ctx, u.Key); err != nil {
		return err
	}
	return s.Uploads.Delete(ctx, u.Key)
}

// DeleteUnused deletes the uploads that no post has referred to for archive.UnusedLife.
func (s *Service) DeleteUnused(ctx context.Context, now time.Time) error {
	return page.Each(ctx, page.Of(ctx, s.Uploads.Unused, now.Add(-archive.UnusedLife)), func(u *archive.StoredUpload) error {
		if !u.Deleting {
			marked := u.Without(0, now)
			switch err := s.Uploads.MarkForDeletion(ctx, u, marked); {
			case refusal.KindOf(err) == refusal.Conflict:
				return nil // a post refers to it now
			case err != nil:
				return err
			}
		}
		return s.remove(ctx, u)
	})
}
