package seed

import (
	"context"

	"stoa/internal/kit/fake"
	"stoa/internal/kit/slice"
	"stoa/social"
)

// One in collector painters has albums, and each album shows at most albumTexts posts
// without an image: drawing the art of several posts takes the most time.
const (
	collector  = 4
	albumTexts = 3
)

// collect puts the images among the posts of person i, oldest first, and some of the other
// posts into one to three albums, and creates the albums' art.
func (w *writer) collect(ctx context.Context, i int, posts []written, painted map[social.PostID]*social.PostImage) error {
	if len(painted) == 0 || i%collector != 0 {
		return nil
	}
	r := w.random(i, ofAlbums)
	holds := make([][]*social.Post, 1+r.IntN(len(painted)))
	texts := make([]int, len(holds))
	images := 0
	for k := range posts {
		p := &posts[k].post
		at := r.IntN(len(holds))
		switch {
		case painted[p.PostID] != nil:
			at = images % len(holds)
			images++
		case texts[at] == albumTexts || r.IntN(2) == 0:
			continue
		default:
			texts[at]++
		}
		holds[at] = append(holds[at], p)
	}
	names := r.Perm(len(albumNames))
	for k, held := range holds {
		a := social.NewAlbum(w.people[i].id, social.AlbumID(fake.UUID(r)), albumNames[names[k]], "", held[0].PostedAt)
		if err := w.album(ctx, a, held); err != nil {
			return err
		}
	}
	w.albumCounts[i] = len(holds)
	w.result.Albums += len(holds)
	return nil
}

// album adds an album with its posts, each added to it when it is posted.
func (w *writer) album(ctx context.Context, a *social.Album, posts []*social.Post) error {
	for _, p := range posts {
		facts := map[social.AlbumID]social.AlbumFacts{a.AlbumID: {Viewer: a.OwnedByUserID, Album: a}}
		after, err := p.Into(a.AlbumID, facts)
		if err != nil {
			return err
		}
		step := social.NewPostStep(p, after, facts, p.PostedAt)
		*p, a = *step.After, step.Albums[0].After
	}
	shown := posts[:w.pictures.Used(len(posts))]
	ids := slice.Map(shown, func(p *social.Post) social.PostID { return p.PostID })
	hash := social.ArtHash(ids)
	if err := w.pictures.MakeArt(ctx, a, hash, shown); err != nil {
		return err
	}
	a.ArtHash = hash
	w.fill.Album(a)
	return nil
}
