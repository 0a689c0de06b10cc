package like

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// LikedBy returns the users who like a post openly, oldest like first. It returns nil if
// the viewer, for whom p was made, may not see them.
func (s *Service) LikedBy(ctx context.Context, p *social.SeenPost, list page.Args) (*page.Page[social.Entry], error) {
	q, err := list.Query()
	if err != nil || !p.LikesShown() {
		return nil, err
	}
	likes, err := s.Store.ByPost(ctx, p.PostID(), social.OnymouslyLiked, q)
	if err != nil {
		return nil, err
	}
	users := page.Map(likes, func(l social.Like) social.Entry { return social.Entry{UserID: l.LikedByUserID, At: l.LikedAt} })
	return &users, nil
}

// LikedPosts returns the posts that a user likes with the given status, newest like first.
// It returns nil if the viewer, for whom of was made, may not see the list. It does not
// check which of the posts they may see.
func (s *Service) LikedPosts(ctx context.Context, of *social.SeenUser, status social.LikeStatus, list page.Args) (*page.Page[social.PostID], error) {
	q, err := list.Query()
	if err != nil || !of.LikedPostsShown(status) {
		return nil, err
	}
	likes, err := s.Store.ByLiker(ctx, of.UserID(), status, q)
	if err != nil {
		return nil, err
	}
	posts := page.Page[social.PostID]{Items: make([]social.PostID, 0, len(likes.Items)), Next: likes.Next}
	for _, l := range likes.Items {
		if !of.Former(l.LikedAt) {
			posts.Items = append(posts.Items, l.PostID)
		}
	}
	return &posts, nil
}
