package album

import (
	"context"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the albums of a removed profile, a page at a time.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	albums, err := s.Store.ByUser(ctx, e.UserID, e.UserID, page.Query{First: page.Max, After: cursor}, false)
	return social.EachLeft(ctx, e, s.Profiles, albums, err, createdAt, func(f social.AlbumFacts) error {
		err := decision.DoOnce(ctx, s.Frame, func(a *decision.Attempt) error {
			return s.Store.DeleteLeftover(ctx, f.Album, a.Emit(deleted(f.Album))...)
		})
		return refusal.IgnoreConflict(err)
	})
}

func createdAt(f social.AlbumFacts) time.Time { return f.Album.CreatedAt }
