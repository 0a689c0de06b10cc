package album

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the albums of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	albums, err := s.Store.ByUser(ctx, e.UserID, e.UserID, page.Query{First: page.Max, After: cursor}, false)
	if err != nil {
		return "", 0, err
	}
	for _, f := range albums.Items {
		if !f.Album.CreatedAt.Before(e.RemovedAt) {
			continue
		}
		if err := s.remove(ctx, f.Album, s.Store.DeleteLeftover); err != nil && refusal.KindOf(err) != refusal.Conflict {
			return "", rows, err
		}
		rows++
	}
	return albums.Next, rows, nil
}
