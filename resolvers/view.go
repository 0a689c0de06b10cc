package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/social"
)

func (r *mutationResolver) ReportPostViews(ctx context.Context, postIds []string, viewType *social.ViewType) (*bool, error) {
	as := optional.Or(viewType, social.ViewThumbnail)
	return succeeded(r.Views.Report(ctx, social.CallerFrom(ctx), idsOf[social.PostID](postIds), as))
}

func (r *postResolver) ViewedBy(ctx context.Context, obj *social.SeenPost, limit *int, nextToken *string) (*graph.PaginatedUsers, error) {
	p, err := r.Views.ViewedBy(ctx, obj, page.Args{Limit: limit, NextToken: nextToken})
	return r.shownEntries(ctx, p, err)
}
