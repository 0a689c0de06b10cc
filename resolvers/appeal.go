package resolvers

import (
	"context"
	"stoa/social"
)

func (r *mutationResolver) AppealDecision(ctx context.Context, caseID string, text string) (*social.Appeal, error) {
	return r.Appeals.Appeal(ctx, social.CallerFrom(ctx), caseID, text)
}

func (r *mutationResolver) ReplyToAppeal(ctx context.Context, caseID string, text string) (*social.Appeal, error) {
	return r.Appeals.Reply(ctx, social.CallerFrom(ctx), caseID, text)
}
