package ops

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// CasesOpened returns the cases of a status that were opened within a period.
func (s *Operators) CasesOpened(ctx context.Context, status desk.CaseStatus, from, to time.Time) iter.Seq2[*desk.Case, error] {
	of := cases.Begins(DeskA2, string(status)).From(stamp.MicroOf(from)).To(stamp.MicroOf(to.Add(-time.Microsecond)))
	return each(of.All(ctx, s.db))
}

// CasesDecided returns the cases that are decided, and were last at a time or later.
func (s *Operators) CasesDecided(ctx context.Context, from time.Time) iter.Seq2[*desk.Case, error] {
	return each(cases.Begins(DeskA3, string(desk.Decided)).From(strconv.FormatInt(from.UnixMicro(), 10)).All(ctx, s.db))
}

func each(all iter.Seq2[desk.Case, error]) iter.Seq2[*desk.Case, error] {
	return func(yield func(*desk.Case, error) bool) {
		for c, err := range all {
			if !yield(&c, err) {
				return
			}
		}
	}
}

// Reporters returns how the reports of users have been decided, without those of whom none was.
func (s *Operators) Reporters(ctx context.Context, ids []desk.UserID) (map[desk.UserID]*desk.Reporter, error) {
	b := stored.NewBatch(s.db)
	var found map[desk.UserID]*desk.Reporter
	stored.Into(b, &found, reporters, ids, func(id desk.UserID) keyspec.Key { return reporters.Key(string(id)) }, stored.Same[desk.Reporter])
	return found, b.Run(ctx)
}

// SaveReporter stores how the reports of a user have been decided. It fails with a Conflict if that
// has changed since it was of the revision before.
func (s *Operators) SaveReporter(ctx context.Context, before int, r desk.Reporter) error {
	tx := s.db.NewTx()
	if w := reporters.Put(tx, r); before == 0 {
		w.Absent()
	} else {
		w.If("revision = ?", before)
	}
	return stored.Outcome(tx.Run(ctx))
}

// ForgetReporter removes how the reports of a user have been decided.
func (s *Operators) ForgetReporter(ctx context.Context, id desk.UserID) error {
	b := s.db.NewBulk()
	reporters.DeleteIn(b, reporters.Key(string(id)))
	return b.Run(ctx)
}

// Templates returns the saved answers, by title.
func (s *Operators) Templates(ctx context.Context) ([]*desk.Template, error) {
	all := []*desk.Template{}
	for t, err := range templates.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		all = append(all, &t)
	}
	slices.SortFunc(all, func(a, b *desk.Template) int { return strings.Compare(a.Title, b.Title) })
	return all, nil
}

// SaveTemplate stores an answer.
func (s *Operators) SaveTemplate(ctx context.Context, t desk.Template, l desk.AuditLine) error {
	tx := s.db.NewTx()
	templates.Put(tx, t)
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// RemoveTemplate removes an answer.
func (s *Operators) RemoveTemplate(ctx context.Context, id string, l desk.AuditLine) error {
	tx := s.db.NewTx()
	templates.Delete(tx, templates.Key(id))
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// EndCases decides those of the cases of items that are open: their authors have deleted the
// items. What a moderator had decided to remove cannot be appealed any more. It reads all of them
// together, and stores the events of each step with it. It fails with a Conflict if one of the cases
// changes at that moment.
func (s *Operators) EndCases(ctx context.Context, items []desk.Item, at time.Time, events func(desk.CaseStep) []outbox.Record) error {
	b := s.db.NewBatch()
	found := cases.FetchEach(b, len(items), func(i int) keyspec.Key { return cases.Key(items[i].System, string(items[i].Kind), items[i].ItemID) })
	if err := b.Run(ctx); err != nil {
		return err
	}
	for i := range items {
		c := found.At(i)
		if c == nil || !c.Ends() || c.RemovedBy != "" { // what others removed cannot be deleted any more
			continue
		}
		step := c.Ended(at)
		if err := s.Decide(ctx, step, events(step)...); err != nil {
			return err
		}
	}
	return nil
}
