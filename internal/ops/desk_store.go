package ops

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// Operators stores what those do who run the service.
type Operators struct{ db *keyspec.DB }

// Grants returns all grants.
func (s *Operators) Grants(ctx context.Context) (all []desk.Grant, err error) {
	for g, err := range grants.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// Granted returns the grant of a user, or nil.
func (s *Operators) Granted(ctx context.Context, id desk.UserID) (*desk.Grant, error) {
	return grants.Get(ctx, s.db, grants.Key(string(id)))
}

// Grant stores a grant, and fails with a Conflict if there is one of that user.
func (s *Operators) Grant(ctx context.Context, g desk.Grant, l desk.AuditLine) error {
	tx := s.db.NewTx()
	grants.Create(tx, g)
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Revoke removes the grant of a user, and fails with a Conflict if there is none.
func (s *Operators) Revoke(ctx context.Context, id desk.UserID, l desk.AuditLine) error {
	tx := s.db.NewTx()
	grants.Delete(tx, grants.Key(string(id))).Exists()
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Note writes a line of the audit log about something that changes nothing in the store.
func (s *Operators) Note(ctx context.Context, l desk.AuditLine) error {
	tx := s.db.NewTx()
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Audit returns lines of an actor, about a subject, or both, newest first. An id of "" stands
// for all.
func (s *Operators) Audit(ctx context.Context, actor desk.UserID, subject string, q page.Query) (page.Page[*desk.AuditLine], error) {
	lines := auditLines.Begins(keyspec.Primary)
	switch {
	case subject != "":
		lines = auditLines.Begins(DeskA2, subject)
	case actor != "":
		lines = auditLines.Begins(DeskA1, string(actor))
	}
	list := func(q page.Query) (page.Page[*desk.AuditLine], error) {
		p, err := stored.List(ctx, s.db, lines, q, true, stored.Same[desk.AuditLine])
		if err != nil {
			return p, err
		}
		return p, s.name(ctx, p.Items)
	}
	if subject == "" || actor == "" {
		return list(q)
	}
	return page.Refill(q, list, func(all []*desk.AuditLine) (of []*desk.AuditLine, err error) {
		for _, l := range all {
			if l.Actor == actor {
				of = append(of, l)
			}
		}
		return of, nil
	})
}

// PseudonymPrefix is that of pseudonyms of people.
const PseudonymPrefix = "person-"

// name replaces the pseudonyms in lines by the people they lead to.
func (s *Operators) name(ctx context.Context, lines []*desk.AuditLine) error {
	var wanted []string
	for _, l := range lines {
		for _, name := range []string{l.SubjectID, string(l.Actor)} {
			if strings.HasPrefix(name, PseudonymPrefix) && !slices.Contains(wanted, name) {
				wanted = append(wanted, name)
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	b := s.db.NewBatch()
	found := pseudonyms.FetchEach(b, len(wanted), func(i int) keyspec.Key { return pseudonyms.Key(wanted[i]) })
	if err := b.Run(ctx); err != nil {
		return err
	}
	meant := func(name string) string {
		if i := slices.Index(wanted, name); i >= 0 && found.At(i) != nil {
			return found.At(i).Meant
		}
		return name
	}
	for _, l := range lines {
		l.SubjectID, l.Actor = meant(l.SubjectID), desk.UserID(meant(string(l.Actor)))
	}
	return nil
}

// Ended removes lines of the audit log from before a time, at most one page of them, and
// returns their number.
func (s *Operators) Ended(ctx context.Context, before time.Time) (int, error) {
	lines, _, err := auditLines.Begins(keyspec.Primary).To(stamp.MicroOf(before)).Page(ctx, s.db, keyspec.Page{Limit: page.Max})
	if err != nil {
		return 0, err
	}
	b := s.db.NewBulk()
	for _, l := range lines {
		auditLines.DeleteIn(b, auditLines.KeyOf(&l))
	}
	return len(lines), b.Run(ctx)
}

// Case returns the case of an item, or nil.
func (s *Operators) Case(ctx context.Context, i desk.Item) (*desk.Case, error) {
	return cases.Get(ctx, s.db, cases.Key(i.System, string(i.Kind), i.ItemID))
}

// Cases returns the cases of a status, highest rank first.
func (s *Operators) Cases(ctx context.Context, status desk.CaseStatus, q page.Query) (page.Page[*desk.Case], error) {
	return stored.List(ctx, s.db, cases.Begins(DeskA3, string(status)), q, true, stored.Same[desk.Case])
}

// CasesIn returns cases of a status about one kind of content of a system, highest rank
// first, at most n. A bound other than 0 excludes higher ranks.
func (s *Operators) CasesIn(
	ctx context.Context, status desk.CaseStatus, system string, kind desk.ContentKind, bound, n int,
) ([]*desk.Case, error) {
	of := cases.Begins(DeskA4, string(status), system, string(kind))
	if bound != 0 {
		of = of.To(strconv.Itoa(bound))
	}
	p, err := stored.List(ctx, s.db, of, page.Query{First: n}, true, stored.Same[desk.Case])
	return p.Items, err
}

// CasesByAge returns the cases of a status, oldest first.
func (s *Operators) CasesByAge(ctx context.Context, status desk.CaseStatus, q page.Query) (page.Page[*desk.Case], error) {
	return stored.List(ctx, s.db, cases.Begins(DeskA2, string(status)), q, false, stored.Same[desk.Case])
}

// EndKept removes what cases have kept until a time, at most one page of them, and reports
// whether there may be more.
func (s *Operators) EndKept(ctx context.Context, now time.Time) (more bool, err error) {
	ended, next, err := cases.Begins(DeskK1).To(stamp.MicroOf(now)).Page(ctx, s.db, keyspec.Page{Limit: page.Max})
	if err != nil {
		return false, err
	}
	for _, key := range ended {
		c, err := s.Case(ctx, key.Item)
		if err != nil {
			return false, err
		}
		if c == nil || c.Kept.Noun == "" || now.Before(c.Kept.Until) {
			continue
		}
		after := *c
		after.Kept = desk.Kept{}
		if err := refusal.IgnoreConflict(s.Decide(ctx, desk.CaseStep{Before: c, After: after})); err != nil {
			return false, err
		}
	}
	return next != "", nil
}

// ReportBy returns the report of an item by a user that is not with the item, or nil.
func (s *Operators) ReportBy(ctx context.Context, i desk.Item, by desk.UserID) (*desk.Report, error) {
	r, err := reports.Get(ctx, s.db, reports.Key(i.System, string(i.Kind), i.ItemID, string(by)))
	if r == nil || err != nil {
		return nil, err
	}
	return &r.Report, nil
}

// CasesOf returns the cases of an author, newest first.
func (s *Operators) CasesOf(ctx context.Context, author desk.UserID, q page.Query) (page.Page[*desk.Case], error) {
	return stored.List(ctx, s.db, cases.Begins(DeskA1, string(author)), q, true, stored.Same[desk.Case])
}

// Decide stores a step of a case that changes nothing of its item, and e.
func (s *Operators) Decide(ctx context.Context, step desk.CaseStep, e ...outbox.Record) error {
	tx := s.db.NewTx()
	TakeCase(tx, step)
	Record(tx, e...)
	return stored.Outcome(tx.Run(ctx))
}

// Reports returns the reports of an item that are no longer with the item itself.
func (s *Operators) Reports(ctx context.Context, i desk.Item, q page.Query) (page.Page[desk.Report], error) {
	of := reports.Begins(keyspec.Primary, i.System, string(i.Kind), i.ItemID)
	return stored.List(ctx, s.db, of, q, false, func(r *reportItem) desk.Report { return r.Report })
}

// ReportsBy returns the reports by a user that are no longer with their items, oldest first.
func (s *Operators) ReportsBy(ctx context.Context, by desk.UserID, q page.Query) (page.Page[desk.ReportedItem], error) {
	return stored.List(ctx, s.db, reports.Begins(DeskA1, string(by)), q, false, func(r *reportItem) desk.ReportedItem { return desk.ReportedItem(*r) })
}

// KeepReports stores reports of an item that is being deleted.
func (s *Operators) KeepReports(ctx context.Context, i desk.Item, all []desk.Report) error {
	b := s.db.NewBulk()
	for _, r := range all {
		reports.PutIn(b, reportItem{i, r})
	}
	return b.Run(ctx)
}

// DropReports removes reports of an item that KeepReports has stored.
func (s *Operators) DropReports(ctx context.Context, i desk.Item, all []desk.Report) error {
	b := s.db.NewBulk()
	for _, r := range all {
		reports.DeleteIn(b, reports.KeyOf(&reportItem{i, r}))
	}
	return b.Run(ctx)
}

// ForgetReports removes a page of the reports by a user, and reports whether there are more.
func (s *Operators) ForgetReports(ctx context.Context, by desk.UserID) (more bool, err error) {
	items, next, err := reports.Begins(DeskA1, string(by)).Page(ctx, s.db, keyspec.Page{Limit: page.Max})
	if err != nil || len(items) == 0 {
		return false, err
	}
	b := s.db.NewBulk()
	for _, r := range items {
		reports.DeleteIn(b, reports.KeyOf(&r))
	}
	return next != "", b.Run(ctx)
}
