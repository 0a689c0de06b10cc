package resolvers

import (
	"context"
	"stoa/social"
)

func (r *mutationResolver) ReportScreenViews(ctx context.Context, screens []string) (*bool, error) {
	if err := r.Screens.Report(ctx, social.CallerFrom(ctx), screens); err != nil {
		return nil, err
	}
	done := true
	return &done, nil
}
