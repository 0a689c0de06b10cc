package ops

import (
	"context"
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/operator"
)

// Operators stores what those do who run the service.
type Operators struct{ db *keyspec.DB }

// Grants returns all grants.
func (s *Operators) Grants(ctx context.Context) (all []operator.Grant, err error) {
	for g, err := range grants.Begins(keyspec.Primary).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// Granted returns the grant of a user, or nil.
func (s *Operators) Granted(ctx context.Context, id operator.UserID) (*operator.Grant, error) {
	return grants.Get(ctx, s.db, grants.Key(string(id)))
}

// Grant stores a grant, and fails with a Conflict if there is one of that user.
func (s *Operators) Grant(ctx context.Context, g operator.Grant, l operator.AuditLine) error {
	tx := s.db.NewTx()
	grants.Create(tx, g)
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Revoke removes the grant of a user, and fails with a Conflict if there is none.
func (s *Operators) Revoke(ctx context.Context, id operator.UserID, l operator.AuditLine) error {
	tx := s.db.NewTx()
	grants.Delete(tx, grants.Key(string(id))).Exists()
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Note writes a line of the audit log about something that changes nothing in the store.
func (s *Operators) Note(ctx context.Context, l operator.AuditLine) error {
	tx := s.db.NewTx()
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// Audit returns lines of an actor, about a subject, or both, newest first. An id of "" stands
// for all.
func (s *Operators) Audit(ctx context.Context, actor operator.UserID, subject string, q page.Query) (page.Page[*operator.AuditLine], error) {
	lines := auditLines.Begins(keyspec.Primary)
	switch {
	case subject != "":
		lines = auditLines.Begins(DeskA2, subject)
	case actor != "":
		lines = auditLines.Begins(DeskA1, string(actor))
	}
	list := func(q page.Query) (page.Page[*operator.AuditLine], error) {
		return stored.List(ctx, s.db, lines, q, true, stored.Same[operator.AuditLine])
	}
	if subject == "" || actor == "" {
		return list(q)
	}
	return page.Refill(q, list, func(all []*operator.AuditLine) (of []*operator.AuditLine, err error) {
		for _, l := range all {
			if l.Actor == actor {
				of = append(of, l)
			}
		}
		return of, nil
	})
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
