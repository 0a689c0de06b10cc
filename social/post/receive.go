package post

import (
	"context"

	"stoa/internal/outbox"
	"stoa/social"
)

// PostStatusChanged deletes the files of a deleted post, unless its owner has reused the id for a
// newer post, whose files are stored in the same place.
func (s *Service) PostStatusChanged(ctx context.Context, e social.PostStatusChanged, _ string, _ outbox.Tell) (next string, rows int, err error) {
	if e.To != social.PostDeleting || e.Type == social.TextOnly {
		return "", 0, nil
	}
	newer, err := s.stored(ctx, e.UserID, e.PostID)
	if err != nil || newer.Post != nil {
		return "", 0, err
	}
	return "", 0, s.Files.Remove(ctx, e.UserID, e.PostID)
}
