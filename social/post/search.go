package post

import (
	"context"
	"strings"

	"stoa/internal/kit/page"
	"stoa/social"
)

// maxSuggested is how many keywords are suggested at most.
const maxSuggested = 20

// Find returns posts by their keywords. The best matches come first by the page, and on a
// page those that are trending. Which of them the viewer sees is settled by Items.
func (s *Service) Find(ctx context.Context, keywords string, args page.Args) (*page.Page[social.PostID], error) {
	search, err := social.NewPostSearch(keywords, args)
	if err != nil {
		return nil, err
	}
	ids, more, err := s.Store.Search(ctx, search.Text, search.Offset, search.Limit)
	if err != nil {
		return nil, err
	}
	scores, err := s.Store.Scores(ctx, ids)
	if err != nil {
		return nil, err
	}
	social.ByScore(ids, scores)
	return &page.Page[social.PostID]{Items: ids, Next: search.NextOrSame(len(ids), more)}, nil
}

// Similar returns posts with keywords of a post that the viewer sees, which is among them.
func (s *Service) Similar(ctx context.Context, v social.Viewer, id social.PostID, args page.Args) (*page.Page[social.PostID], error) {
	seen, err := s.Visible(ctx, v, []social.PostID{id}, 0)
	if err != nil {
		return nil, err
	}
	if seen[id] == nil {
		return nil, missing(id)
	}
	return s.Find(ctx, strings.Join(seen[id].Keywords(), " "), args)
}

// Keywords suggests keywords of posts that have a word of a text, or one that begins with
// its last word.
func (s *Service) Keywords(ctx context.Context, text string) ([]string, error) {
	return s.Store.Keywords(ctx, text, maxSuggested)
}
