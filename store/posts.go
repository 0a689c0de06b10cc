package store

import (
	"context"
	"strings"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/search"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/social"
)

// Posts stores posts and the counters of their status.
type Posts struct {
	concurrent
	words *search.Finder
}

// postDetails are the details that Facts reads. The users mentioned in a text are in the
// post's own row.
var postDetails = social.LikeMark | social.ViewMark | social.FlagMark | social.TaggedUsers | social.PostAlbum | social.PostImageRow

// Facts returns those posts that exist, with the details in d. One call reads up to 25
// posts with all marks, or 100 without any; their albums take another.
func (s *Posts) Facts(ctx context.Context, viewer social.UserID, ids []social.PostID, d social.Detail) (map[social.PostID]social.PostFacts, error) {
	b := s.db.NewBatch()
	found := posts.FetchEach(b, len(ids), func(i int) keyspec.Key { return postKey(ids[i]) })
	liked := fetchMarks(b, likes, d.Has(social.LikeMark), ids, viewer)
	viewed := fetchMarks(b, postViews, d.Has(social.ViewMark), ids, viewer)
	flagged := fetchMarks(b, postFlags, d.Has(social.FlagMark), ids, viewer)
	pictured := fetchImages(b, d.Has(social.PostImageRow), ids)
	if err := b.Run(ctx); err != nil {
		return nil, err
	}
	facts := make(map[social.PostID]social.PostFacts, len(ids))
	for i, id := range ids {
		item := found.At(i)
		if item == nil {
			continue
		}
		f := social.PostFacts{Viewer: viewer, Read: d & postDetails, Post: item, Image: pictured.image(i)}
		mark(&f, liked.at(i), viewed.at(i))
		if flag := flagged.at(i); flag != nil {
			f.Marks.Flagged, f.Marks.FlaggedAt = !flag.CreatedAt.Before(item.PostedAt), flag.CreatedAt
		}
		facts[id] = f
	}
	if d.Has(social.PostAlbum) {
		if err := s.addAlbums(ctx, viewer, facts); err != nil {
			return nil, err
		}
	}
	return facts, nil
}

// mark adds the viewer's like and view of a post, nil for none. A mark older than the post is a
// leftover of an earlier post with the same id.
func mark(f *social.PostFacts, like *social.Like, view *social.PostView) {
	if like != nil && !like.LikedAt.Before(f.Post.PostedAt) {
		f.Marks.Like, f.Marks.LikedAt = like.Status, like.LikedAt
	}
	if view != nil && !view.LastViewedAt.Before(f.Post.PostedAt) {
		f.Marks.LastViewedAt = view.LastViewedAt
	}
}

// Mark adds the viewer's likes and views to facts, as far as d asks for them. Those of posts
// whose counters show that nobody has liked or viewed them are not read, nor views of one's own
// posts, which always count as viewed.
func (s *Posts) Mark(ctx context.Context, viewer social.UserID, facts map[social.PostID]social.PostFacts, d social.Detail) error {
	likable := make([]social.PostID, 0, len(facts))
	viewable := make([]social.PostID, 0, len(facts))
	for id, f := range facts {
		f.Read |= d & (social.LikeMark | social.ViewMark)
		facts[id] = f
		if d.Has(social.LikeMark) && f.Post.OnymousLikeCount+f.Post.AnonymousLikeCount > 0 {
			likable = append(likable, id)
		}
		if d.Has(social.ViewMark) && f.Post.ViewedByCount > 0 && f.Post.PostedByUserID != viewer {
			viewable = append(viewable, id)
		}
	}
	b := s.db.NewBatch()
	liked := fetchMarks(b, likes, true, likable, viewer)
	viewed := fetchMarks(b, postViews, true, viewable, viewer)
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i, id := range likable {
		if like := liked.at(i); like != nil {
			f := facts[id]
			mark(&f, like, nil)
			facts[id] = f
		}
	}
	for i, id := range viewable {
		if view := viewed.at(i); view != nil {
			f := facts[id]
			mark(&f, nil, view)
			facts[id] = f
		}
	}
	return nil
}

// addAlbums adds the albums of posts.
func (s *Posts) addAlbums(ctx context.Context, viewer social.UserID, facts map[social.PostID]social.PostFacts) error {
	var ids []social.AlbumID
	for _, f := range facts {
		if f.Post.AlbumID != "" {
			ids = append(ids, f.Post.AlbumID)
		}
	}
	albums, err := (&Albums{s.db}).Facts(ctx, viewer, ids)
	if err != nil {
		return err
	}
	for id, f := range facts {
		facts[id] = f.WithAlbum(albums)
	}
	return nil
}

// ByUser returns a user's posts in a status, newest first, from A2.
func (s *Posts) ByUser(ctx context.Context, owner social.UserID, status social.PostStatus, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A2, string(owner), string(status)), q, true, stored.Same)
}

// WithUnviewedComments returns a user's posts with comments they have not viewed, latest
// such comment first, from A3.
func (s *Posts) WithUnviewedComments(ctx context.Context, owner social.UserID, q page.Query) (page.Page[*social.Post], error) {
	return stored.List(ctx, s.db, posts.Begins(A3, string(owner)), q, true, stored.Same)
}

// Expired returns the posts that expire before a time, on the day of the microsecond before it,
// from K1.
func (s *Posts) Expired(ctx context.Context, before time.Time, q page.Query) (page.Page[social.PostID], error) {
	day, hour, _ := strings.Cut(strings.TrimSuffix(stamp.MicroOf(before.Add(-time.Microsecond)), "Z"), "T")
	return stored.List(ctx, s.db, posts.Begins(K1, day).To(hour), q, false, idOfPost)
}

// ExpiredBefore returns the posts that expire before a time. It scans the table.
func (s *Posts) ExpiredBefore(ctx context.Context, t time.Time) ([]social.PostID, error) {
	var ids []social.PostID
	err := s.db.Walk(ctx, posts.Each(func(i social.Post) {
		if !i.ExpiresAt.IsZero() && i.ExpiresAt.Before(t) {
			ids = append(ids, i.PostID)
		}
	}))
	return ids, err
}

// LastPostedAt returns the time of the last post that a user has added, even if it no
// longer exists; zero if they never added one.
func (s *Posts) LastPostedAt(ctx context.Context, owner social.UserID) (time.Time, error) {
	item, err := profiles.Get(ctx, s.db, profileKey(owner))
	if err != nil || item == nil {
		return time.Time{}, err
	}
	return item.LastPostedAt, nil
}
