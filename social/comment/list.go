package comment

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// OfPost returns the comments on a post, oldest first or, if reverse, newest first. It
// omits comments of authors who are gone or block the viewer, and those left of an earlier
// post with the same id. It returns nil if comments are disabled. p must have been made for
// v.
func (s *Service) OfPost(
	ctx context.Context,
	v social.Viewer,
	p *social.SeenPost,
	list page.Args,
	reverse bool,
	d social.Detail,
) (*page.Page[*social.SeenComment], error) {
	q, err := list.Query()
	if err != nil || !p.CommentsShown() {
		return nil, err
	}
	comments, err := s.Store.ByPost(ctx, p.PostID(), q, reverse)
	if err != nil {
		return nil, err
	}
	seen := page.Page[*social.SeenComment]{Items: make([]*social.SeenComment, 0, len(comments.Items)), Next: comments.Next}
	if len(comments.Items) == 0 {
		return &seen, nil
	}
	var userIDs []social.UserID
	for _, c := range comments.Items {
		userIDs = append(userIDs, c.Users(d)...)
	}
	var facts []social.CommentFacts
	var users social.SeenUsers
	if err := s.Store.Together(ctx, func(ctx context.Context) (err error) {
		facts, err = s.Store.Facts(ctx, v.UserID, p.PostID(), comments.Items, d)
		return err
	}, func(ctx context.Context) (err error) {
		users, err = s.People.Visible(ctx, v, userIDs, d)
		return err
	}); err != nil {
		return nil, err
	}
	for _, f := range facts {
		if shown := f.See(users); shown != nil && shown.Listed() && !f.Comment.Outlives(p.PostedAt()) {
			seen.Items = append(seen.Items, shown)
		}
	}
	return &seen, nil
}
