package resolvers

import (
	"context"
	"stoa/social"
)

func (r *mutationResolver) ReportScreenViews(ctx context.Context, screens []string) (*bool, error) {
	return succeeded(r.Screens.Report(ctx, social.CallerFrom(ctx), screens))
}
