package resolvers

import (
	"context"
	"stoa/internal/desk"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/resolve"
	"stoa/internal/operator"
	"stoa/internal/operator/graph"
	"time"
)

func (r *appealResolver) DecidedBy(ctx context.Context, obj *desk.Appeal) (*operator.Person, error) {
	return person(ctx, obj.DecidedBy)
}

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

func (r *caseResolver) RemovedBy(ctx context.Context, obj *desk.Case) (*desk.RemovedBy, error) {
	s, err := shown(ctx, obj)
	if err != nil {
		return nil, err
	}
	return optional.IfSet(s.RemovedBy), nil
}

func (r *caseResolver) Context(ctx context.Context, obj *desk.Case) ([]*operator.ContextItem, error) {
	return r.Service.Context(ctx, obj)
}

func (r *caseResolver) Rule(ctx context.Context, obj *desk.Case) (*operator.HouseRule, error) {
	return r.Service.LastRule(obj), nil
}

func (r *caseResolver) DueAt(ctx context.Context, obj *desk.Case) (*time.Time, error) {
	return r.Service.DueAt(obj), nil
}

func (r *caseResolver) ClaimedBy(ctx context.Context, obj *desk.Case) (*operator.Person, error) {
	return person(ctx, r.Service.Claimer(obj))
}

func (r *caseResolver) ClaimedUntil(ctx context.Context, obj *desk.Case) (*time.Time, error) {
	return r.Service.ClaimedUntil(obj), nil
}

func (r *caseDecisionResolver) Who(ctx context.Context, obj *desk.Decision) (*operator.Person, error) {
	return person(ctx, obj.By)
}

func (r *caseDecisionResolver) Note(ctx context.Context, obj *desk.Decision) (*string, error) {
	return optional.IfSet(obj.Note), nil
}

func (r *caseDecisionResolver) Rule(ctx context.Context, obj *desk.Decision) (*operator.HouseRule, error) {
	return r.Service.Rule(obj.Rule), nil
}

func (r *contextItemResolver) Author(ctx context.Context, obj *operator.ContextItem) (*operator.Person, error) {
	return person(ctx, obj.AuthorID)
}

func (r *mutationResolver) DecideCase(ctx context.Context, id string, revision int, verdict desk.Verdict, note *string, rule *string) (*desk.Case, error) {
	return r.Service.DecideCase(ctx, id, revision, ruling(verdict, note, rule))
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

func (r *mutationResolver) SuspendPerson(ctx context.Context, id string, reason string, until *time.Time, banContacts *bool, rule *string) (*operator.Person, error) {
	return r.Service.SuspendPerson(ctx, operator.UserID(id), operator.Suspending{
		Reason: reason, Until: until, BanContacts: optional.Or(banContacts, false), Rule: optional.Or(rule, ""),
	})
}

func (r *mutationResolver) ReinstatePerson(ctx context.Context, id string, note *string) (*operator.Person, error) {
	return r.Service.ReinstatePerson(ctx, operator.UserID(id), optional.Or(note, ""))
}

func (r *mutationResolver) SignOutPerson(ctx context.Context, id string) (*operator.Person, error) {
	return r.Service.SignOutPerson(ctx, operator.UserID(id))
}

func (r *mutationResolver) ErasePerson(ctx context.Context, id string, reason string) (*operator.Person, error) {
	return r.Service.ErasePerson(ctx, operator.UserID(id), reason)
}

func (r *mutationResolver) ExportPerson(ctx context.Context, id string, reason string) (*operator.Export, error) {
	return r.Service.ExportPerson(ctx, operator.UserID(id), reason)
}

func (r *mutationResolver) NoteOnPerson(ctx context.Context, id string, note string) (*operator.Person, error) {
	return r.Service.NoteOnPerson(ctx, operator.UserID(id), note)
}

func (r *mutationResolver) ClaimCase(ctx context.Context, id string) (*desk.Case, error) {
	return r.Service.ClaimCase(ctx, id)
}

func (r *mutationResolver) DecideCases(ctx context.Context, cases []*operator.Choice, verdict desk.Verdict, rule *string, note *string) ([]*operator.Outcome, error) {
	return r.Service.DecideCases(ctx, cases, ruling(verdict, note, rule))
}

func (r *mutationResolver) ReplyToAppeal(ctx context.Context, id string, text string) (*desk.Case, error) {
	return r.Service.ReplyToAppeal(ctx, id, text)
}

func (r *mutationResolver) SaveTemplate(ctx context.Context, id *string, title string, text string) (*desk.Template, error) {
	return r.Service.SaveTemplate(ctx, optional.Or(id, ""), title, text)
}

func (r *mutationResolver) RemoveTemplate(ctx context.Context, id string) (bool, error) {
	return r.Service.RemoveTemplate(ctx, id)
}

func (r *mutationResolver) StartBackup(ctx context.Context) (*operator.Backup, error) {
	return r.Service.StartBackup(ctx)
}

func (r *mutationResolver) StartCheck(ctx context.Context, repair *bool) (*operator.Check, error) {
	return r.Service.StartCheck(ctx, optional.Or(repair, false))
}

func (r *mutationResolver) Redeliver(ctx context.Context, event string) (bool, error) {
	return r.Service.Redeliver(ctx, event)
}

func (r *personResolver) Role(ctx context.Context, obj *operator.Person) (*desk.Role, error) {
	return r.Service.RoleOf(ctx, obj)
}

func (r *personResolver) LastSeenAt(ctx context.Context, obj *operator.Person) (*time.Time, error) {
	return r.Service.LastSeenAt(ctx, obj)
}

func (r *personResolver) Email(ctx context.Context, obj *operator.Person) (*string, error) {
	c, err := contacts(ctx, obj)
	return optional.IfSet(c.Email), err
}

func (r *personResolver) Phone(ctx context.Context, obj *operator.Person) (*string, error) {
	c, err := contacts(ctx, obj)
	return optional.IfSet(c.Phone), err
}

func (r *personResolver) EmailVerified(ctx context.Context, obj *operator.Person) (bool, error) {
	return r.Service.EmailVerified(ctx, obj)
}

func (r *personResolver) PhoneVerified(ctx context.Context, obj *operator.Person) (bool, error) {
	return r.Service.PhoneVerified(ctx, obj)
}

func (r *personResolver) Suspension(ctx context.Context, obj *operator.Person) (*desk.Suspension, error) {
	return r.Service.SuspensionOf(ctx, obj)
}

func (r *personResolver) Counts(ctx context.Context, obj *operator.Person) (*operator.PersonCounts, error) {
	return r.Service.CountsOf(ctx, obj)
}

func (r *personResolver) Sessions(ctx context.Context, obj *operator.Person) ([]*operator.Session, error) {
	return r.Service.SessionsOf(ctx, obj)
}

func (r *personResolver) Devices(ctx context.Context, obj *operator.Person) ([]*operator.Device, error) {
	return r.Service.DevicesOf(ctx, obj)
}

func (r *personResolver) Notes(ctx context.Context, obj *operator.Person) ([]*desk.PersonNote, error) {
	return r.Service.NotesOn(ctx, obj)
}

func (r *personNoteResolver) Who(ctx context.Context, obj *desk.PersonNote) (*operator.Person, error) {
	return person(ctx, obj.By)
}

func (r *queryResolver) Me(ctx context.Context) (*operator.Me, error) {
	return r.Service.Me(ctx)
}

func (r *queryResolver) Cases(ctx context.Context, status *desk.CaseStatus, system *string, kind *desk.ContentKind, author *string, order *operator.Order, limit *int, nextToken *string) (*graph.CasePage, error) {
	p, err := r.Service.Cases(ctx, operator.Query{
		Status: optional.Or(status, desk.Open), System: optional.Or(system, ""), Kind: optional.Or(kind, ""), Author: operator.UserID(optional.Or(author, "")),
		Order: optional.Or(order, operator.ByReports),
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
	of, about := operator.UserID(optional.Or(actor, "")), optional.Or(subject, "")
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

func (r *queryResolver) People(ctx context.Context, find string, limit *int, nextToken *string) (*graph.PersonPage, error) {
	return resolve.Page[graph.PersonPage](r.Service.People(ctx, find, resolve.Args(limit, nextToken)))
}

func (r *queryResolver) Person(ctx context.Context, id string) (*operator.Person, error) {
	return r.Service.Person(ctx, operator.UserID(id))
}

func (r *queryResolver) Rules(ctx context.Context) ([]*operator.HouseRule, error) {
	return r.Service.Rules(ctx)
}

func (r *queryResolver) Templates(ctx context.Context) ([]*desk.Template, error) {
	return r.Service.Templates(ctx)
}

func (r *queryResolver) Statistics(ctx context.Context, from time.Time, to time.Time) (*operator.Statistics, error) {
	return r.Service.Statistics(ctx, from, to)
}

func (r *queryResolver) Tables(ctx context.Context) ([]*operator.Table, error) {
	return r.Service.Tables(ctx)
}

func (r *queryResolver) Items(ctx context.Context, table string, index *string, partitionKey string, sortKeyPrefix *string, limit *int, nextToken *string) (*graph.ItemPage, error) {
	of := operator.Listing{Table: table, Index: optional.Or(index, ""), PartitionKey: partitionKey, SortKeyPrefix: optional.Or(sortKeyPrefix, "")}
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

func (r *subscriptionResolver) CaseChanged(ctx context.Context) (<-chan *desk.Case, error) {
	return r.Service.CaseChanged(ctx)
}

func (r *subscriptionResolver) CheckProgressed(ctx context.Context) (<-chan *operator.Check, error) {
	return r.Service.CheckProgressed(ctx)
}

func (r *suspensionResolver) Until(ctx context.Context, obj *desk.Suspension) (*time.Time, error) {
	return optional.IfSet(obj.Until), nil
}

func (r *suspensionResolver) By(ctx context.Context, obj *desk.Suspension) (*operator.Person, error) {
	return person(ctx, obj.By)
}

func (r *Resolver) Appeal() graph.AppealResolver { return &appealResolver{r} }

func (r *Resolver) Case() graph.CaseResolver { return &caseResolver{r} }

func (r *Resolver) CaseDecision() graph.CaseDecisionResolver { return &caseDecisionResolver{r} }

func (r *Resolver) ContextItem() graph.ContextItemResolver { return &contextItemResolver{r} }

func (r *Resolver) Mutation() graph.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Person() graph.PersonResolver { return &personResolver{r} }

func (r *Resolver) PersonNote() graph.PersonNoteResolver { return &personNoteResolver{r} }

func (r *Resolver) Query() graph.QueryResolver { return &queryResolver{r} }

func (r *Resolver) Report() graph.ReportResolver { return &reportResolver{r} }

func (r *Resolver) Subscription() graph.SubscriptionResolver { return &subscriptionResolver{r} }

func (r *Resolver) Suspension() graph.SuspensionResolver { return &suspensionResolver{r} }

type (
	appealResolver       struct{ *Resolver }
	caseResolver         struct{ *Resolver }
	caseDecisionResolver struct{ *Resolver }
	contextItemResolver  struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	personResolver       struct{ *Resolver }
	personNoteResolver   struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	reportResolver       struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
	suspensionResolver   struct{ *Resolver }
)
