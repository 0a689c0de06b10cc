package ops

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// Suspensions: A1 those that end by themselves, A3 all by their last change.
var suspensions = keyspec.Define[desk.Suspension](Desk, keyspec.Row{
	Key: keyspec.K("suspension/{userId}", "-"),
	On: keyspec.Indexes{
		DeskA1: keyspec.K("suspensionEnds", "{until}/{userId}"),
		DeskA3: keyspec.K("suspensions", "{changed}"),
	},
})

// Notes of the team about people.
var personNotes = keyspec.Define[desk.PersonNote](Desk, keyspec.Row{
	Key: keyspec.K("person/{userId}", "note/{when}/{noteId}"),
})

// Suspension returns what is stored of the suspension of a user, even if it has ended, or nil.
func (s *Operators) Suspension(ctx context.Context, id desk.UserID) (*desk.Suspension, error) {
	return suspensions.Get(ctx, s.db, suspensions.Key(string(id)))
}

// Suspend stores steps of suspensions and the events, and fails with a Conflict if one has
// changed.
func (s *Operators) Suspend(ctx context.Context, steps []desk.SuspensionStep, l desk.AuditLine, events ...outbox.Record) error {
	tx := s.db.NewTx()
	for _, step := range steps {
		if step.Before == nil {
			suspensions.Create(tx, step.After)
		} else {
			suspensions.Change(tx, *step.Before, step.After).If("changedAt = ?", step.Before.ChangedAt)
		}
	}
	Audit(tx, l)
	Record(tx, events...)
	return stored.Outcome(tx.Run(ctx))
}

// ChangedSuspensions returns the suspensions that have changed since a time, oldest change
// first.
func (s *Operators) ChangedSuspensions(ctx context.Context, since time.Time, q page.Query) (page.Page[*desk.Suspension], error) {
	changed := suspensions.Begins(DeskA3)
	if !since.IsZero() {
		changed = changed.From(strconv.FormatInt(since.UnixMicro(), 10))
	}
	return stored.List(ctx, s.db, changed, q, false, stored.Same[desk.Suspension])
}

// DueSuspensions returns suspensions that end by themselves before a time.
func (s *Operators) DueSuspensions(ctx context.Context, before time.Time, q page.Query) (page.Page[*desk.Suspension], error) {
	return stored.List(ctx, s.db, suspensions.Begins(DeskA1).To(stamp.MicroOf(before)), q, false, stored.Same[desk.Suspension])
}

// ForgetSuspension removes what is kept of a suspension that has ended, unless there is a new
// one.
func (s *Operators) ForgetSuspension(ctx context.Context, old *desk.Suspension) error {
	tx := s.db.NewTx()
	suspensions.Delete(tx, suspensions.KeyOf(old)).If("changedAt = ?", old.ChangedAt)
	return stored.Outcome(tx.Run(ctx))
}

// NoteOnPerson stores a note about a person.
func (s *Operators) NoteOnPerson(ctx context.Context, n desk.PersonNote, l desk.AuditLine) error {
	tx := s.db.NewTx()
	personNotes.Create(tx, n)
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// NotesOn returns the notes about a person, newest first.
func (s *Operators) NotesOn(ctx context.Context, id desk.UserID, q page.Query) (page.Page[*desk.PersonNote], error) {
	return stored.List(ctx, s.db, personNotes.Begins(keyspec.Primary, string(id)), q, true, stored.Same[desk.PersonNote])
}

// NoteAll writes lines of the audit log, at most 45, about what changes nothing in the store.
func (s *Operators) NoteAll(ctx context.Context, lines []desk.AuditLine) error {
	tx := s.db.NewTx()
	meant := map[string]string{}
	for _, l := range lines {
		maps.Copy(meant, l.Meant)
		l.Meant = nil
		Audit(tx, l)
	}
	mean(tx, meant)
	return stored.Outcome(tx.Run(ctx))
}

// SignOut writes that somebody is signed out everywhere, and the events that do it.
func (s *Operators) SignOut(ctx context.Context, l desk.AuditLine, events ...outbox.Record) error {
	tx := s.db.NewTx()
	Audit(tx, l)
	Record(tx, events...)
	return stored.Outcome(tx.Run(ctx))
}

// ReportedBy returns the number of reports of a user that are no longer with their items, at
// most limit.
func (s *Operators) ReportedBy(ctx context.Context, id desk.UserID, limit int) (n int, err error) {
	return countUpTo(limit, func(q page.Query) (page.Page[*reportItem], error) {
		return stored.List(ctx, s.db, reports.Begins(DeskA1, string(id)), q, false, stored.Same[reportItem])
	}, func(*reportItem) int { return 1 })
}

// ReportedAgainst returns the number of reports of an author's content, at most about limit.
func (s *Operators) ReportedAgainst(ctx context.Context, author desk.UserID, limit int) (n int, err error) {
	return countUpTo(limit, page.Of(ctx, s.CasesOf, author),
		func(c *desk.Case) int { return c.ReportCount })
}

// countUpTo adds up what the items of a list count, until the sum reaches limit.
func countUpTo[T any](limit int, list func(page.Query) (page.Page[T], error), counts func(T) int) (n int, err error) {
	for item, err := range page.All(list) {
		if err != nil || n >= limit {
			return n, err
		}
		n += counts(item)
	}
	return n, nil
}

// Exports that can be fetched. There are few.
var exports = keyspec.Define[desk.Export](Desk, keyspec.Row{Key: keyspec.K("exports", "{exportId}")})

// When the data of a person were last exported.
var exported = keyspec.Define[exportedItem](Desk, keyspec.Row{Key: keyspec.K("person/{userId}", "exported")})

type exportedItem struct {
	UserID     desk.UserID `dynamo:"userId,keyonly"`
	ExportedAt time.Time   `dynamo:"exportedAt"`
}

// Export records that the data of a person with ids are exported now, with an export to be fetched
// and a line unless they are nil. It fails with a Conflict if they have been exported after a time.
func (s *Operators) Export(ctx context.Context, ids []desk.UserID, now, notAfter time.Time, e *desk.Export, l *desk.AuditLine) error {
	tx := s.db.NewTx()
	for _, id := range ids {
		exported.Put(tx, exportedItem{id, now}).If("attribute_not_exists(exportedAt) OR exportedAt <= ?", notAfter)
	}
	if e != nil {
		exports.Create(tx, *e)
	}
	if l != nil {
		Audit(tx, *l)
	}
	return stored.Outcome(tx.Run(ctx))
}

// ExportedAt returns when the data under an id were last exported; zero if never.
func (s *Operators) ExportedAt(ctx context.Context, id desk.UserID) (time.Time, error) {
	item, err := exported.Get(ctx, s.db, exported.Key(string(id)))
	if item == nil || err != nil {
		return time.Time{}, err
	}
	return item.ExportedAt, nil
}

// ExportOf returns an export, or nil.
func (s *Operators) ExportOf(ctx context.Context, id string) (*desk.Export, error) {
	if id == "" || strings.Contains(id, "/") {
		return nil, nil
	}
	return exports.Get(ctx, s.db, exports.Key(id))
}

// TakeExport removes an export, and fails with a Conflict if it is gone.
func (s *Operators) TakeExport(ctx context.Context, e *desk.Export) error {
	tx := s.db.NewTx()
	exports.Delete(tx, exports.KeyOf(e)).Exists()
	return stored.Outcome(tx.Run(ctx))
}

// ForgetExports removes exports that expired before a time.
func (s *Operators) ForgetExports(ctx context.Context, before time.Time) error {
	b := s.db.NewBulk()
	for e, err := range exports.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return err
		}
		if e.ExpiresAt.Before(before) {
			exports.DeleteIn(b, exports.KeyOf(&e))
		}
	}
	return b.Run(ctx)
}

// Erase removes what those who run the service have about a person: their suspension, notes,
// role and reports, and what cases have of them, with the events of those that are thereby
// decided, at a time. It fails with a Conflict if one of the cases changes at that moment.
func (s *Operators) Erase(ctx context.Context, id desk.UserID, at time.Time, events func(desk.CaseStep) []outbox.Record) error {
	for more := true; more; {
		var err error
		if more, err = s.ForgetReports(ctx, id); err != nil {
			return err
		}
	}
	b := s.db.NewBulk()
	for n, err := range personNotes.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return err
		}
		personNotes.DeleteIn(b, personNotes.KeyOf(&n))
	}
	for e, err := range exports.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return err
		}
		if e.UserID == id {
			exports.DeleteIn(b, exports.KeyOf(&e))
		}
	}
	suspensions.DeleteIn(b, suspensions.Key(string(id)))
	exported.DeleteIn(b, exported.Key(string(id)))
	grants.DeleteIn(b, grants.Key(string(id)))
	reporters.DeleteIn(b, reporters.Key(string(id)))
	if err := b.Run(ctx); err != nil {
		return err
	}
	for c, err := range cases.Begins(DeskA1, string(id)).All(ctx, s.db) {
		if err != nil {
			return err
		}
		if err := s.disown(ctx, c, at, events); err != nil {
			return err
		}
	}
	return nil
}

// disown ends a case, whose item is gone with its author, and removes the author, unless it has
// got another one meanwhile. That about a person is deleted.
func (s *Operators) disown(ctx context.Context, c desk.Case, at time.Time, events func(desk.CaseStep) []outbox.Record) error {
	now, err := s.Case(ctx, c.Item)
	if now == nil || err != nil || now.AuthorID != c.AuthorID {
		return err
	}
	step := now.Ended(at)
	step.After.AuthorID, step.After.Appeal = "", nil
	tx := s.db.NewTx()
	if c.Kind == desk.Person {
		b := s.db.NewBulk()
		for r, err := range reports.Begins(keyspec.Primary, c.System, string(c.Kind), c.ItemID).All(ctx, s.db) {
			if err != nil {
				return err
			}
			reports.DeleteIn(b, reports.KeyOf(&r))
		}
		if err := b.Run(ctx); err != nil {
			return err
		}
		cases.Delete(tx, cases.KeyOf(now)).If("revision = ?", now.Revision)
	} else {
		cases.Change(tx, *now, step.After).If("revision = ?", now.Revision)
	}
	Record(tx, events(step)...)
	return stored.Outcome(tx.Run(ctx))
}

// Kinds of rows that may refer to somebody who had a role, or mean somebody.
const (
	tracesInPseudonyms  = "pseudonyms"
	tracesInCases       = "cases"
	tracesInNotes       = "notes"
	tracesInSuspensions = "suspensions"
	tracesInTemplates   = "templates"
	tracesInGrants      = "grants"
)

// EraseTraces makes a page of what somebody has done in a role that of a pseudonym, to which
// then nothing leads. It reads all rows, since nothing lists these.
func (s *Operators) EraseTraces(ctx context.Context, id desk.UserID, pseudonym, cursor string) (_ string, rows int, err error) {
	kind, after, next := page.Lists(
		[]string{tracesInPseudonyms, tracesInCases, tracesInNotes, tracesInSuspensions, tracesInTemplates, tracesInGrants}, cursor)
	q := page.Query{First: page.Max, After: after}
	found := false
	by := func(who *desk.UserID) {
		if *who == id {
			*who, found = desk.UserID(pseudonym), true
		}
	}
	var more string
	switch kind {
	case tracesInPseudonyms:
		more, rows, err = stored.Sweep(ctx, s.db, pseudonyms, q, func(p pseudonymItem) (*pseudonymItem, bool) {
			return nil, strings.Contains(p.Meant, string(id))
		})
	case tracesInCases:
		more, rows, err = stored.Sweep(ctx, s.db, cases, q, func(c desk.Case) (*desk.Case, bool) {
			c.Kept, found = c.Kept.Without(id)
			by(&c.ClaimedBy)
			c.Decisions = slices.Clone(c.Decisions)
			for i := range c.Decisions {
				by(&c.Decisions[i].By)
			}
			if c.Appeal != nil {
				a := *c.Appeal
				by(&a.DecidedBy)
				a.Messages = slices.Clone(a.Messages)
				for i := range a.Messages {
					by(&a.Messages[i].By)
				}
				c.Appeal = &a
			}
			return &c, found
		}, func(u keyspec.Update, c desk.Case) {
			u.If("revision = ?", c.Revision)
			sameTalk(u, c.Talk)
		})
	case tracesInNotes:
		more, rows, err = stored.Sweep(ctx, s.db, personNotes, q, func(n desk.PersonNote) (*desk.PersonNote, bool) {
			found = false
			by(&n.By)
			return &n, found
		})
	case tracesInSuspensions:
		more, rows, err = stored.Sweep(ctx, s.db, suspensions, q, func(of desk.Suspension) (*desk.Suspension, bool) {
			found = false
			by(&of.By)
			return &of, found
		})
	case tracesInTemplates:
		more, rows, err = stored.Sweep(ctx, s.db, templates, q, func(t desk.Template) (*desk.Template, bool) {
			found = false
			by(&t.SavedBy)
			return &t, found
		})
	default:
		more, rows, err = stored.Sweep(ctx, s.db, grants, q, func(g desk.Grant) (*desk.Grant, bool) {
			found = false
			by(&g.GrantedBy)
			return &g, found
		})
	}
	return next(more), rows, err
}
