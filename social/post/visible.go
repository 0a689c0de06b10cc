package post

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/social"
)

// Visible returns those posts among ids that the viewer may see. With d it asks for
// marks, mentioned users and both ways between viewer and owners.
func (s *Service) Visible(ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail) (map[social.PostID]*social.SeenPost, error) {
	return s.visible(ctx, v, ids, d, social.PostChoice{}.Includes)
}

// Items returns those posts of a list that the viewer may see and that are chosen, in the
// order of ids.
func (s *Service) Items(ctx context.Context, v social.Viewer, ids []social.PostID, choice social.PostChoice, d social.Detail) ([]*social.SeenPost, error) {
	if choice.ViewedStatus != nil {
		d |= social.ViewMark
	}
	posts, err := s.visible(ctx, v, ids, d, choice.Includes)
	if err != nil {
		return nil, err
	}
	items := make([]*social.SeenPost, 0, len(posts))
	for _, id := range ids {
		if p := posts[id]; p != nil {
			items = append(items, p)
		}
	}
	return items, nil
}

// visible reads posts, then what is known of them by then: the users, albums and originals
// of those that are chosen and not hidden by their own status. It leaves out what the
// viewer may not see.
func (s *Service) visible(ctx context.Context, v social.Viewer, ids []social.PostID, d social.Detail, chosen func(social.PostFacts) bool) (map[social.PostID]*social.SeenPost, error) {
	facts, err := s.Store.Facts(ctx, v.UserID, ids, d&^social.PostAlbum)
	if err != nil {
		return nil, err
	}
	for id, f := range facts {
		if !chosen(f) || f.Hidden() {
			delete(facts, id)
		}
	}
	if len(facts) == 0 {
		return nil, nil
	}
	m, err := s.meet(ctx, v, facts, d)
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

// ImageFiles returns where the images of those posts lie that exist and are not of text.
// It asks for no permission: what a card is about, its user has been told of.
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

// ByUser returns the posts of a user in a status, COMPLETED if none is given, newest
// first; of one type if postType says so. It returns nil when the viewer may not see
// what the user publishes, and refuses to list others' posts in other statuses.
func (s *Service) ByUser(ctx context.Context, of *social.SeenUser, status *social.PostStatus, postType *social.PostType, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil {
		return nil, err
	}
	in := social.PostCompleted
	if status != nil {
		in = *status
	}
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
// latest unviewed comment first; nil for anybody but that owner.
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
