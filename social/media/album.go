package media

import (
	"context"
	"errors"

	"stoa/internal/media/art"
	"stoa/internal/media/blob"
	"stoa/internal/media/renditions"
	"stoa/social"
)

// AlbumArt returns the art of an album.
func (s *Service) AlbumArt(a *social.SeenAlbum) *social.Image {
	if files := a.ArtFiles(); files != "" {
		return s.At(files)
	}
	return imageOf(renditions.Of(func(size string) string { return renditions.Key(s.PublicURL+defaultArtPath, size) }))
}

// Used returns how many of the first n posts of an album appear on its art.
func (s *Service) Used(n int) int { return art.Used(n) }

// Quick reports whether art of these posts requires no drawing: that of a single post is
// its image, and an album without posts has none.
func (s *Service) Quick(posts []*social.Post) bool {
	return len(posts) == 0 || len(posts) == 1 && posts[0].HasFiles()
}

// MakeArt creates the art of an album of these posts and stores it.
func (s *Service) MakeArt(ctx context.Context, a *social.Album, artHash string, posts []*social.Post) error {
	dir := social.AlbumArtFiles(a.OwnedByUserID, a.AlbumID, artHash)
	if s.Quick(posts) {
		for _, p := range posts {
			err := renditions.Copy(ctx, s.Store, social.PostImageFiles(p.PostedByUserID, p.PostID), dir, "4K")
			if errors.Is(err, blob.ErrNotFound) {
				return &social.Unfit{Reason: "File is missing"}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	items := make([]art.Item, len(posts))
	for i, p := range posts {
		if !p.HasFiles() {
			items[i].Text = p.Text
			continue
		}
		items[i].Picture = func(ctx context.Context) ([]byte, error) {
			return s.read(ctx, renditions.Key(social.PostImageFiles(p.PostedByUserID, p.PostID), "1080p"))
		}
	}
	cover, err := art.Cover(ctx, s.Pictures, items)
	if err != nil {
		return final(err)
	}
	return renditions.Put(ctx, s.Store, dir, cover)
}

// RemoveArt removes the album's art with the given hash, or all its art if artHash is "".
func (s *Service) RemoveArt(ctx context.Context, owner social.UserID, id social.AlbumID, artHash string) error {
	dir := social.AlbumFiles(owner, id)
	if artHash != "" {
		dir = social.AlbumArtFiles(owner, id, artHash)
	}
	return s.Store.DeleteTree(ctx, dir)
}
