package post

import (
	"context"
	"strings"

	"stoa/internal/kit/page"
	"stoa/social"
)

// maxSuggested is the maximum number of suggested keywords.
const maxSuggested = 20

// Find returns posts by their keywords. Pages are ordered by match, best first, and posts
// on a page by their trending scores. It does not check what the viewer may see; Items
// does.
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

// Similar returns posts with keywords of a post that the viewer sees, including that post.
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

// Keywords returns keywords of posts that contain a word of the text, or a word that starts
// with its last word.
func (s *Service) Keywords(ctx context.Context, text string) ([]string, error) {
	return s.Store.Keywords(ctx, text, maxSuggested)
}
