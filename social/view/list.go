package view

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// ViewedBy returns the users other than the owner who have viewed a post, first viewer
// first. It returns nil if the viewer, for whom p was made, may not see them.
func (s *Service) ViewedBy(ctx context.Context, p *social.SeenPost, list page.Args) (*page.Page[social.Entry], error) {
	q, err := list.Query()
	if err != nil || !p.ViewsShown() {
		return nil, err
	}
	views, err := s.Store.ByPost(ctx, p.PostID(), q)
	if err != nil {
		return nil, err
	}
	users := page.Page[social.Entry]{Items: make([]social.Entry, 0, len(views.Items)), Next: views.Next}
	for _, v := range views.Items {
		// A view older than the post belongs to an earlier post with the same id.
		if v.UserID != p.PostedBy().UserID() && !v.FirstViewedAt.Before(p.PostedAt()) {
			users.Items = append(users.Items, social.Entry{UserID: v.UserID, At: v.FirstViewedAt})
		}
	}
	return &users, nil
}
