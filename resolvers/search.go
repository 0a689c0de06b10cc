package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *queryResolver) SearchUsers(ctx context.Context, searchToken string, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	found, err := r.Users.Search(ctx, searchToken, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownUsers(ctx, found, err)
}

func (r *queryResolver) FindPosts(ctx context.Context, keywords string, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Posts.Find(ctx, keywords, page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *queryResolver) SimilarPosts(ctx context.Context, postID string, limit *int, nextToken *string) (*graph.PaginatedPosts, error) {
	return shownPosts(r.Posts.Similar(ctx, viewer.From(ctx), social.PostID(postID), page.Args{Limit: limit, NextToken: nextToken}))
}

func (r *queryResolver) SearchKeywords(ctx context.Context, keyword string) ([]*string, error) {
	words, err := r.Posts.Keywords(ctx, keyword)
	if err != nil {
		return nil, err
	}
	found := make([]*string, len(words))
	for i := range words {
		found[i] = &words[i]
	}
	return found, nil
}
