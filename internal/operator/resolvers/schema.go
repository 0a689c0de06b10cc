package resolvers

import (
	"context"
	"stoa/internal/desk"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/internal/operator"
	"stoa/internal/operator/graph"
)

func (r *caseResolver) Reports(ctx context.Context, obj *desk.Case, limit *int, nextToken *string) (*graph.ReportPage, error) {
	return resolve.Page[graph.ReportPage](r.Service.Reports(ctx, obj, resolve.Args(limit, nextToken)))
}

func (r *caseResolver) Author(ctx context.Context, obj *desk.Case) (*operator.Person, error) {
	return person(ctx, obj.AuthorID)
}

func (r *caseResolver) Excerpt(ctx context.Context, obj *desk.Case) (string, error) {
	s, err := shown(ctx, obj)
	if err != nil {
		return "", err
	}
	return s.Excerpt, nil
}

func (r *caseResolver) Media(ctx context.Context, obj *desk.Case) ([]string, error) {
	s, err := shown(ctx, obj)
	if err != nil {
		return nil, err
	}
	return s.Media, nil
}

func (r *caseResolver) Visible(ctx context.Context, obj *desk.Case) (bool, error) {
	s, err := shown(ctx, obj)
	return err == nil && s.Visible, err
}

func (r *caseResolver) RemovedBy(ctx context.Context, obj *desk.Case) (*operator.RemovedBy, error) {
	s, err := shown(ctx, obj)
	if err != nil {
		return nil, err
	}
	return optional.IfSet(s.RemovedBy), nil
}

func (r *caseDecisionResolver) Who(ctx context.Context, obj *desk.Decision) (*operator.Person, error) {
	return person(ctx, obj.By)
}

func (r *caseDecisionResolver) Note(ctx context.Context, obj *desk.Decision) (*string, error) {
	return optional.IfSet(obj.Note), nil
}

func (r *mutationResolver) DecideCase(ctx context.Context, id string, revision int, verdict desk.Verdict, note *string) (*desk.Case, error) {
	return r.Service.DecideCase(ctx, id, revision, verdict, resolve.Or(note, ""))
}

func (r *mutationResolver) GrantRole(ctx context.Context, userID string, role desk.Role) (*operator.Person, error) {
	return r.Service.GrantRole(ctx, operator.UserID(userID), role)
}

func (r *mutationResolver) RevokeRole(ctx context.Context, userID string, role desk.Role) (*operator.Person, error) {
	return r.Service.RevokeRole(ctx, operator.UserID(userID), role)
}

func (r *mutationResolver) RunJob(ctx context.Context, name string) (*operator.Job, error) {
	return r.Service.RunJob(ctx, name)
}

func (r *mutationResolver) StartBackup(ctx context.Context) (*operator.Backup, error) {
	return r.Service.StartBackup(ctx)
}

func (r *mutationResolver) StartCheck(ctx context.Context, repair *bool) (*operator.Check, error) {
	return r.Service.StartCheck(ctx, resolve.Or(repair, false))
}

func (r *mutationResolver) Redeliver(ctx context.Context, event string) (bool, error) {
	return r.Service.Redeliver(ctx, event)
}

func (r *personResolver) Role(ctx context.Context, obj *operator.Person) (*desk.Role, error) {
	return r.Service.RoleOf(ctx, obj)
}

func (r *queryResolver) Me(ctx context.Context) (*operator.Me, error) {
	return r.Service.Me(ctx)
}

func (r *queryResolver) Cases(ctx context.Context, status *desk.CaseStatus, system *string, kind *desk.ContentKind, author *string, limit *int, nextToken *string) (*graph.CasePage, error) {
	p, err := r.Service.Cases(ctx, operator.Query{
		Status: resolve.Or(status, desk.Open), System: resolve.Or(system, ""), Kind: resolve.Or(kind, ""), Author: operator.UserID(resolve.Or(author, "")),
	}, resolve.Args(limit, nextToken))
	if err == nil {
		gather(ctx, p.Items)
	}
	return resolve.Page[graph.CasePage](p, err)
}

func (r *queryResolver) Case(ctx context.Context, id string) (*desk.Case, error) {
	return r.Service.Case(ctx, id)
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

func (r *queryResolver) Tables(ctx context.Context) ([]*operator.Table, error) {
	return r.Service.Tables(ctx)
}

func (r *queryResolver) Items(ctx context.Context, table string, index *string, partitionKey string, sortKeyPrefix *string, limit *int, nextToken *string) (*graph.ItemPage, error) {
	of := operator.Listing{Table: table, Index: resolve.Or(index, ""), PartitionKey: partitionKey, SortKeyPrefix: resolve.Or(sortKeyPrefix, "")}
	return resolve.Page[graph.ItemPage](r.Service.Items(ctx, of, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Backups(ctx context.Context) ([]*operator.Backup, error) {
	return r.Service.Backups(ctx)
}

func (r *queryResolver) Checks(ctx context.Context) ([]*operator.Check, error) {
	return r.Service.Checks(ctx)
}

func (r *queryResolver) Figures(ctx context.Context) ([]*operator.Figures, error) {
	return r.Service.Figures(ctx)
}

func (r *reportResolver) Who(ctx context.Context, obj *desk.Report) (*operator.Person, error) {
	return person(ctx, obj.By)
}

func (r *reportResolver) Why(ctx context.Context, obj *desk.Report) (*string, error) {
	return optional.IfSet(obj.Why), nil
}

func (r *subscriptionResolver) CaseOpened(ctx context.Context) (<-chan *desk.Case, error) {
	return r.Service.CaseOpened(ctx)
}

func (r *subscriptionResolver) CheckProgressed(ctx context.Context) (<-chan *operator.Check, error) {
	return r.Service.CheckProgressed(ctx)
}

func (r *Resolver) Case() graph.CaseResolver { return &caseResolver{r} }

func (r *Resolver) CaseDecision() graph.CaseDecisionResolver { return &caseDecisionResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Person() graph.PersonResolver { return &personResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Report() graph.ReportResolver { return &reportResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	caseResolver         struct{ *Resolver }
	caseDecisionResolver struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	personResolver       struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	reportResolver       struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
