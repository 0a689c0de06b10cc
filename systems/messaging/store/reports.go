package store

import (
	"context"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/stored"
	"stoa/internal/ops"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
)

// Report stores a report of a message that is not deleted, with its case.
func (s *MessageStore) Report(ctx context.Context, m *messaging.Message, r desk.Reporting, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messages.Check(tx, messageKey(m.MessageRef)).If("attribute_type(DeletedAt, ?)", isNull)
	alive(tx, r.Report.By)
	ops.AddReport(tx, r)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Keep stores the decision to keep a message, which must not have been deleted.
func (s *MessageStore) Keep(ctx context.Context, m *messaging.Message, decided desk.CaseStep, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messages.Check(tx, messageKey(m.MessageRef)).If("attribute_type(DeletedAt, ?)", isNull)
	ops.TakeCase(tx, decided)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// EraseFor is Erase for the decision about a case.
func (s *MessageStore) EraseFor(ctx context.Context, erased *messaging.Message, decided desk.CaseStep, events ...outbox.Record) error {
	tx := s.db.NewTx()
	erase(tx, erased)
	ops.TakeCase(tx, decided)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}

// Restore replaces the tombstone of a message by the message.
func (s *MessageStore) Restore(ctx context.Context, m *messaging.Message, at time.Time, decided desk.CaseStep, events ...outbox.Record) error {
	tx := s.db.NewTx()
	messages.Update(tx, messageKey(m.MessageRef)).Set("DeletedAt", nil).Set("UpdatedAt", at).Set("Head", m.Head).Set("Content", m.Content).
		If("NOT attribute_type(DeletedAt, ?) AND CreatedAt = ?", isNull, m.CreatedAt)
	ops.TakeCase(tx, decided)
	return stored.Concurrent(ops.Commit(ctx, tx, events...))
}
