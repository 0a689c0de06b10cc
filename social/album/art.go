package album

import (
	"context"
	"errors"
	"fmt"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// Art creates and stores the art of albums. An error that is a *social.Unfit is final.
type Art interface {
	// Used returns how many of the first n posts of an album appear on its art.
	Used(n int) int
	// Quick reports whether art of these posts requires no drawing and is created at once.
	Quick(posts []*social.Post) bool
	// MakeArt creates the art of an album of these posts and stores it.
	MakeArt(ctx context.Context, a *social.Album, artHash string, posts []*social.Post) error
	// RemoveArt removes the album's art with the given hash, or all its art if artHash is
	// "".
	RemoveArt(ctx context.Context, owner social.UserID, id social.AlbumID, artHash string) error
}

// AlbumPostsChanged updates the art of an album to its present posts. Art that must be drawn is
// deferred. If a post's image cannot be read, the art stays unchanged.
func (s *Service) AlbumPostsChanged(ctx context.Context, e social.AlbumPostsChanged, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	made := "" // hash of art that is stored but not shown yet
	later, err := decision.Run(ctx, s.Frame, func(*decision.Attempt) (bool, error) {
		a, posts, hash, err := s.wanted(ctx, e)
		if err != nil {
			return false, err
		}
		if made != "" && made != hash {
			if err := s.Art.RemoveArt(ctx, e.Owner, e.AlbumID, made); err != nil {
				return false, err
			}
			made = ""
		}
		if a == nil { // an earlier delivery of the event may have made art after the album was deleted
			return false, s.Art.RemoveArt(ctx, e.Owner, e.AlbumID, "")
		}
		if hash == a.ArtHash {
			return false, nil
		}
		if cursor == "" && !s.Art.Quick(posts) {
			return true, nil
		}
		if hash != "" && made == "" {
			err := s.Art.MakeArt(ctx, a, hash, posts)
			if unfit := (*social.Unfit)(nil); errors.As(err, &unfit) {
				s.Logger.WarnContext(ctx, "art of an album was not made", "album", a.AlbumID, "reason", unfit.Reason)
				return false, nil
			}
			if err != nil {
				return false, err
			}
			made = hash
		}
		if err := s.Store.SetArt(ctx, a, hash); err != nil {
			return false, err
		}
		if a.ArtHash == "" {
			return false, nil
		}
		return false, s.Art.RemoveArt(ctx, e.Owner, e.AlbumID, a.ArtHash)
	})
	switch {
	case err != nil:
		return "", 0, err
	case later:
		return "draw", outbox.Later, nil
	default:
		return "", 1, nil
	}
}

// wanted returns an album, nil if it is gone, the posts that its art should show, nil if it
// shows them already, and the hash of that art.
func (s *Service) wanted(ctx context.Context, e social.AlbumPostsChanged) (a *social.Album, posts []*social.Post, hash string, err error) {
	albums, err := s.Store.Facts(ctx, e.Owner, []social.AlbumID{e.AlbumID})
	a = albums[e.AlbumID].Album
	if err != nil || a == nil || a.OwnedByUserID != e.Owner {
		return nil, nil, "", err
	}
	shown, err := s.Posts.InAlbum(ctx, e.AlbumID, page.Query{First: social.MaxOnArt})
	if err != nil {
		return nil, nil, "", err
	}
	ids := shown.Items[:s.Art.Used(len(shown.Items))]
	if hash = social.ArtHash(ids); hash == a.ArtHash || len(ids) == 0 {
		return a, nil, hash, nil
	}
	facts, err := s.Posts.Facts(ctx, e.Owner, ids, 0)
	if err != nil {
		return nil, nil, "", err
	}
	for _, id := range ids {
		f, found := facts[id]
		if !found {
			return nil, nil, "", fmt.Errorf("post %q of album %q is gone: the index is behind", id, e.AlbumID)
		}
		posts = append(posts, f.Post)
	}
	return a, posts, hash, nil
}

// AlbumDeleted removes the art of a deleted album. The owner may have reused the id for a
// newer album, whose art is stored in the same place.
func (s *Service) AlbumDeleted(ctx context.Context, e social.AlbumDeleted, _ outbox.Tell) error {
	albums, err := s.Store.Facts(ctx, e.Owner, []social.AlbumID{e.AlbumID})
	if err != nil {
		return err
	}
	switch newer := albums[e.AlbumID].Album; {
	case newer == nil || newer.OwnedByUserID != e.Owner:
		return s.Art.RemoveArt(ctx, e.Owner, e.AlbumID, "")
	case e.ArtHash == "" || e.ArtHash == newer.ArtHash:
		return nil
	default:
		return s.Art.RemoveArt(ctx, e.Owner, e.AlbumID, e.ArtHash)
	}
}
