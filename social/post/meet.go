package post

import (
	"context"

	"stoa/internal/kit/together"
	"stoa/social"
)

// met contains the users, albums and originals that a viewer sees with posts.
type met struct {
	users  social.SeenUsers
	albums map[social.AlbumID]social.AlbumFacts
	// originals are those that are not among the posts themselves.
	originals map[social.PostID]*social.SeenPost
}

// meet reads the users, albums and originals of posts concurrently, as far as d requires, and
// adds those marks in late to facts. Originals have all details in d, except originals of their own, which few have.
func (s *Service) meet(ctx context.Context, v social.Viewer, facts map[social.PostID]social.PostFacts, d, late social.Detail) (m met, err error) {
	var userIDs []social.UserID
	var albumIDs []social.AlbumID
	var originalIDs []social.PostID
	asked := map[social.PostID]bool{"": true}
	for _, f := range facts {
		userIDs = append(userIDs, f.Users()...)
		if f.Post.AlbumID != "" {
			albumIDs = append(albumIDs, f.Post.AlbumID)
		}
		original := f.Post.Original()
		if _, here := facts[original]; !here && !asked[original] {
			asked[original] = true
			originalIDs = append(originalIDs, original)
		}
	}
	reads := []together.Work{func(ctx context.Context) (err error) {
		m.users, err = s.People.Visible(ctx, v, userIDs, d)
		return err
	}}
	if d.Has(social.PostAlbum) && len(albumIDs) > 0 {
		reads = append(reads, func(ctx context.Context) (err error) {
			m.albums, err = s.Albums.Facts(ctx, v.UserID, albumIDs)
			return err
		})
	}
	if d.Has(social.OriginalPost) && len(originalIDs) > 0 {
		reads = append(reads, func(ctx context.Context) (err error) {
			m.originals, err = s.Visible(ctx, v, originalIDs, d&^social.OriginalPost)
			return err
		})
	}
	if late := late & (social.LikeMark | social.ViewMark); late != 0 {
		reads = append(reads, func(ctx context.Context) error { return s.Store.Mark(ctx, v.UserID, facts, late) })
	}
	err = s.Store.Together(ctx, reads...)
	return m, err
}

// withOriginals sets the originals of posts, which are among posts or others.
func withOriginals(posts, others map[social.PostID]*social.SeenPost) {
	for id, p := range posts {
		original := posts[p.Original()]
		if original == nil {
			original = others[p.Original()]
		}
		posts[id] = p.WithOriginal(original)
	}
}
