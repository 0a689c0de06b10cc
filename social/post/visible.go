package post

import (
	"context"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Visible returns those posts that the viewer may see, with the marks, mentioned users and
// ties in d.
func (s *Service) Visible(ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail) (map[social.PostID]*social.SeenPost, error) {
	return s.visible(ctx, v, ids, d, social.PostChoice{})
}

// Items returns those posts of a list that the viewer may see and choice selects, in the
// order of ids.
func (s *Service) Items(ctx context.Context, v social.Viewer, ids []social.PostID, choice social.PostChoice, d social.Detail) ([]*social.SeenPost, error) {
	if choice.ViewedStatus != nil {
		d |= social.ViewMark
	}
	posts, err := s.visible(ctx, v, ids, d, choice)
	if err != nil {
		return nil, err
	}
	items := make([]*social.SeenPost, 0, len(posts))
	for _, id := range ids {
		if p := posts[id]; p != nil && choice.Selects(p) {
			items = append(items, p)
		}
	}
	return items, nil
}

// visible reads posts, and then the users, albums, originals and marks of those that choice
// includes and that are not hidden by their status, so that these are no older than the posts. It
// omits posts that the viewer may not see.
func (s *Service) visible(
	ctx context.Context,
	v social.Viewer,
	ids []social.PostID,
	d social.Detail,
	choice social.PostChoice,
) (map[social.PostID]*social.SeenPost, error) {
	late := d & (social.PostAlbum | social.LikeMark | social.ViewMark)
	if choice.ViewedStatus != nil {
		late &^= social.ViewMark
	}
	facts, viewer, err := s.facts(ctx, v, ids, d&^late, choice)
	if err != nil {
		return nil, err
	}
	for id, f := range facts {
		if !choice.Includes(f, viewer) || f.Hidden() {
			delete(facts, id)
		}
	}
	if len(facts) == 0 {
		return nil, nil
	}
	m, err := s.meet(ctx, v, facts, d, late)
	if err != nil {
		return nil, err
	}
	posts := make(map[social.PostID]*social.SeenPost, len(facts))
	for id, f := range facts {
		if d.Has(social.PostAlbum) {
			f = f.WithAlbum(m.albums)
		}
		if p := f.See(m.users); p != nil {
			posts[id] = p
		}
	}
	if d.Has(social.OriginalPost) {
		withOriginals(posts, m.originals)
	}
	return posts, nil
}

// facts reads posts, and the viewer's profile if choice needs it.
func (s *Service) facts(
	ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail, choice social.PostChoice,
) (facts map[social.PostID]social.PostFacts, viewer *social.User, err error) {
	if choice.ViewedStatus == nil {
		facts, err = s.Store.Facts(ctx, v.UserID, ids, d)
		return facts, nil, err
	}
	err = s.Store.Together(ctx, func(ctx context.Context) (err error) {
		facts, err = s.Store.Facts(ctx, v.UserID, ids, d)
		return err
	}, func(ctx context.Context) (err error) {
		viewer, err = s.Profiles.Profile(ctx, v.UserID)
		return err
	})
	return facts, viewer, err
}

// ImageFiles returns the directories of the images of those posts that exist and have
// files. It checks no permission: users have been told of the posts in their cards.
func (s *Service) ImageFiles(ctx context.Context, ids []social.PostID) (map[social.PostID]string, error) {
	facts, err := s.Store.Facts(ctx, "", ids, 0)
	files := make(map[social.PostID]string, len(facts))
	for id, f := range facts {
		if f.Post.HasFiles() {
			files[id] = social.PostImageFiles(f.Post.PostedByUserID, id)
		}
	}
	return files, err
}

// ByUser returns the posts of a user, newest first, with the given status, by default
// COMPLETED, and type, by default any. It returns nil if the viewer may not see what the
// user publishes, and refuses to list other users' posts of other statuses.
func (s *Service) ByUser(
	ctx context.Context,
	of *social.SeenUser,
	status *social.PostStatus,
	postType *social.PostType,
	list page.Args,
) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	in := optional.Or(status, social.PostCompleted)
	switch {
	case in != social.PostCompleted && !of.IsSelf():
		return nil, refusal.Forbiddenf("May only retrieve COMPLETED posts of other users")
	case !of.Published():
		return nil, nil
	}
	posts, err := s.Store.ByUser(ctx, of.UserID(), in, q)
	if err != nil {
		return nil, err
	}
	ids := page.Page[social.PostID]{Items: make([]social.PostID, 0, len(posts.Items)), Next: posts.Next}
	for _, p := range posts.Items {
		if postType == nil || p.Type == *postType {
			ids.Items = append(ids.Items, p.PostID)
		}
	}
	return &ids, nil
}

// WithUnviewedComments returns the posts with comments that their owner has not viewed,
// latest unviewed comment first, or nil to other viewers.
func (s *Service) WithUnviewedComments(ctx context.Context, of *social.SeenUser, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil || !of.IsSelf() {
		return nil, err
	}
	posts, err := s.Store.WithUnviewedComments(ctx, of.UserID(), q)
	if err != nil {
		return nil, err
	}
	ids := page.Map(posts, func(p *social.Post) social.PostID { return p.PostID })
	return &ids, nil
}
