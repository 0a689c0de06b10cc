package resolvers

import (
	"context"
	"stoa/internal/kit/resolve"
	"stoa/internal/operator"
	"stoa/internal/operator/graph"
)

func (r *mutationResolver) GrantRole(ctx context.Context, userID string, role operator.Role) (*operator.Person, error) {
	return r.Service.GrantRole(ctx, operator.UserID(userID), role)
}

func (r *mutationResolver) RevokeRole(ctx context.Context, userID string, role operator.Role) (*operator.Person, error) {
	return r.Service.RevokeRole(ctx, operator.UserID(userID), role)
}

func (r *mutationResolver) RunJob(ctx context.Context, name string) (*operator.Job, error) {
	return r.Service.RunJob(ctx, name)
}

func (r *queryResolver) Me(ctx context.Context) (*operator.Me, error) {
	return r.Service.Me(ctx)
}

func (r *queryResolver) Audit(ctx context.Context, actor *string, subject *string, limit *int, nextToken *string) (*graph.AuditPage, error) {
	of, about := operator.UserID(resolve.Or(actor, "")), resolve.Or(subject, "")
	return resolve.Page[graph.AuditPage](r.Service.Audit(ctx, of, about, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Jobs(ctx context.Context) ([]*operator.Job, error) {
	return r.Service.Jobs(ctx)
}

func (r *queryResolver) Health(ctx context.Context) (*operator.Health, error) {
	return r.Service.Health(ctx)
}

func (r *queryResolver) Settings(ctx context.Context) ([]*operator.Setting, error) {
	return r.Service.Settings(ctx)
}

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

type (
	mutationResolver struct{ *Resolver }
	queryResolver    struct{ *Resolver }
)
