package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *mutationResolver) ReportPostViews(ctx context.Context, postIds []string, viewType *social.ViewType) (*bool, error) {
	as := social.ViewThumbnail
	if viewType != nil {
		as = *viewType
	}
	if err := r.Views.Report(ctx, social.CallerFrom(ctx), idsOf[social.PostID](postIds), as); err != nil {
		return nil, err
	}
	done := true
	return &done, nil
}

func (r *postResolver) ViewedBy(ctx context.Context, obj *social.SeenPost, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Views.ViewedBy(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}
