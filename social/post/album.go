package post

import (
	"context"
	"fmt"
	"maps"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
	"stoa/social"
)

// EditAlbum moves a post of the caller into one of their albums, or out of its album if
// album is "". A completed post goes to the back.
func (s *Service) EditAlbum(ctx context.Context, c social.Caller, id social.PostID, album social.AlbumID, d social.Detail) (*social.SeenPost, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		f, _, err := s.shelved(ctx, c, id, "", d)
		if err != nil {
			return nil, err
		}
		after := *f.Post
		after.AlbumID = album
		albums, err := s.albums(ctx, c, f.Post, &after)
		if err != nil {
			return nil, err
		}
		into, err := f.Post.Into(album, albums)
		if err != nil {
			return nil, err
		}
		return s.shelve(ctx, a, c, f, into, albums, d)
	})
}

// EditAlbumOrder moves a post of the caller behind another post of its album, or to the
// front if preceding is "". Posts that the album does not show are not moved.
func (s *Service) EditAlbumOrder(ctx context.Context, c social.Caller, id, preceding social.PostID, d social.Detail) (*social.SeenPost, error) {
	return s.place(ctx, c, id, preceding, d, false)
}

// place is EditAlbumOrder. It makes room at a place without any, unless that has been tried.
func (s *Service) place(
	ctx context.Context, c social.Caller, id, preceding social.PostID, d social.Detail, tried bool,
) (*social.SeenPost, error) {
	return decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.SeenPost, error) {
		f, before, err := s.shelved(ctx, c, id, preceding, d)
		if err != nil {
			return nil, err
		}
		if f.Post.AlbumID == "" {
			return nil, refusal.Invalidf("Post `%s` is not in an album", id)
		}
		if preceding != "" {
			if err := f.Post.CheckPreceding(preceding, before); err != nil {
				return nil, err
			}
		}
		albums, err := s.Albums.Facts(ctx, c.UserID, social.AlbumsOf(f.Post, f.Post))
		if err != nil {
			return nil, err
		}
		in, found := albums[f.Post.AlbumID]
		if !found {
			if err := s.apply(ctx, a, social.NewPostStep(f.Post, f.Post, nil, s.Now())); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("album %q of post %q is gone", f.Post.AlbumID, id)
		}
		if !f.Post.Movable(before) {
			return s.show(ctx, c, f, d)
		}
		anchor := social.Anchor(before)
		next, err := s.Store.Behind(ctx, f.Post.AlbumID, anchor)
		if err != nil {
			return nil, err
		}
		if !tried && next.Crowds(anchor) && next.PostID != id {
			if err := s.makeRoom(decision.Preparing(ctx), c, next.PostID, false); err != nil {
				return nil, err
			}
			return s.place(ctx, c, id, preceding, d, true)
		}
		return s.shelve(ctx, a, c, f, f.Post.Behind(anchor, next, in.Album), albums, d)
	})
}

// makeRoom moves a post of an album away from the post before it, without passing the one
// behind it, which makes room first if it is too near. The order of the album stays the same
// at any time, so this may stop anywhere.
func (s *Service) makeRoom(ctx context.Context, c social.Caller, id social.PostID, tried bool) error {
	_, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (struct{}, error) {
		var done struct{}
		f, _, err := s.shelved(ctx, c, id, "", 0)
		if err != nil {
			return done, err
		}
		albums, err := s.Albums.Facts(ctx, c.UserID, social.AlbumsOf(f.Post, f.Post))
		if err != nil {
			return done, err
		}
		in, found := albums[f.Post.AlbumID]
		if !found || !f.Post.Movable(nil) { // meanwhile it has left
			return done, nil
		}
		next, err := s.Store.Behind(ctx, f.Post.AlbumID, f.Post.AlbumRank)
		if err != nil {
			return done, err
		}
		if !tried && next.Crowds(f.Post.AlbumRank) {
			if err := s.makeRoom(ctx, c, next.PostID, false); err != nil {
				return done, err
			}
			return done, s.makeRoom(ctx, c, id, true)
		}
		after := f.Post.Behind(f.Post.AlbumRank, next, in.Album)
		return done, s.apply(ctx, a, social.NewPostStep(f.Post, after, albums, s.Now()))
	})
	return err
}

// shelve moves a post of the caller to the position of after. If it is there already,
// nothing is stored.
func (s *Service) shelve(
	ctx context.Context, a *decision.Attempt, c social.Caller, f social.PostFacts,
	after *social.Post, albums map[social.AlbumID]social.AlbumFacts, d social.Detail,
) (*social.SeenPost, error) {
	if after == f.Post {
		return s.show(ctx, c, f, d)
	}
	step := social.NewPostStep(f.Post, after, albums, s.Now())
	answer, err := s.show(ctx, c, f.After(step), d)
	if err != nil {
		return nil, err
	}
	return answer, s.apply(ctx, a, step)
}

// albums returns those albums of a step of the caller's post that exist. What a former profile
// of the caller has left does not.
func (s *Service) albums(ctx context.Context, c social.Caller, before, after *social.Post) (map[social.AlbumID]social.AlbumFacts, error) {
	albums, err := s.Albums.Facts(ctx, c.UserID, social.AlbumsOf(before, after))
	maps.DeleteFunc(albums, func(_ social.AlbumID, f social.AlbumFacts) bool { return f.Outlives(c.User) })
	return albums, err
}

// shelved returns the facts of the caller's post id, and another post, which may belong to
// anybody or be nil.
func (s *Service) shelved(ctx context.Context, c social.Caller, id, other social.PostID, d social.Detail) (f social.PostFacts, second *social.Post, err error) {
	ids := []social.PostID{id}
	if other != "" && other != id {
		ids = append(ids, other)
	}
	facts, err := s.Store.Facts(ctx, c.UserID, ids, d)
	f, found := facts[id]
	switch {
	case err != nil:
		return f, nil, err
	case !found, f.Post.PostedByUserID == c.UserID && f.Post.Outlives(c.User):
		return f, nil, missing(id)
	case f.Post.PostedByUserID != c.UserID:
		return f, nil, refusal.Invalidf("Cannot edit another user's post")
	}
	second = facts[other].Post
	if second != nil && second.PostedByUserID == c.UserID && second.Outlives(c.User) {
		second = nil
	}
	return f, second, nil
}

// AlbumDeleted takes the posts of a deleted album out of it, a page at a time.
func (s *Service) AlbumDeleted(ctx context.Context, e social.AlbumDeleted, _ string, _ outbox.Tell) (next string, rows int, err error) {
	const most = page.Max // the limit of one transaction
	rows, err = decision.Run(ctx, s.Frame, func(*decision.Attempt) (int, error) {
		albums, err := s.Albums.Facts(ctx, e.Owner, []social.AlbumID{e.AlbumID})
		if _, again := albums[e.AlbumID]; err != nil || again {
			return 0, err
		}
		left, err := s.Store.LeftInAlbum(ctx, e.AlbumID, most)
		if err != nil || len(left) == 0 {
			return 0, err
		}
		facts, err := s.Store.Facts(ctx, e.Owner, left, 0)
		if err != nil {
			return 0, err
		}
		var posts []*social.Post
		for _, f := range facts {
			if f.Post.AlbumID == e.AlbumID {
				posts = append(posts, f.Post)
			}
		}
		return len(left), s.Store.Unshelve(ctx, posts)
	})
	if err != nil || rows < most {
		return "", rows, err
	}
	return "more", rows, nil
}
