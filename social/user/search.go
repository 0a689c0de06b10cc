package user

import (
	"context"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Search returns users by the words of their names. It includes users who block the viewer;
// as always, they are omitted when they are read.
func (s *Service) Search(ctx context.Context, text string, args page.Args) (*page.Page[social.UserID], error) {
	search, err := social.NewUserSearch(text, args)
	if err != nil {
		return nil, err
	}
	ids, more, err := s.Store.Search(ctx, search.Text, search.Offset, search.Limit)
	if err != nil {
		return nil, err
	}
	return &page.Page[social.UserID]{Items: ids, Next: search.Next(len(ids), more)}, nil
}
