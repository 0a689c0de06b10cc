package ops

import (
	"context"
	"strconv"
	"strings"

	"stoa/internal/desk"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/kit/stored"
	"stoa/internal/outbox"
)

// Backups that processes have begun.
var backups = keyspec.Define[desk.Backup](Desk, keyspec.Row{
	Key: keyspec.K("backups", "{startedAt}/{backupId}"),
})

// BeginBackup stores a backup that begins.
func (s *Operators) BeginBackup(ctx context.Context, b desk.Backup, l desk.AuditLine) error {
	tx := s.db.NewTx()
	backups.Create(tx, b)
	Audit(tx, l)
	return stored.Outcome(tx.Run(ctx))
}

// SaveBackup stores a backup that the schedule begins, or that ends.
func (s *Operators) SaveBackup(ctx context.Context, b desk.Backup) error {
	tx := s.db.NewTx()
	backups.Put(tx, b)
	return tx.Run(ctx)
}

// Backups returns a page of the backups, newest first.
func (s *Operators) Backups(ctx context.Context, q page.Query) (page.Page[desk.Backup], error) {
	return stored.List(ctx, s.db, backups.Begins(keyspec.Primary), q, true, stored.Value[desk.Backup])
}

// ForgetBackup removes the row of a backup whose file is gone.
func (s *Operators) ForgetBackup(ctx context.Context, b desk.Backup) error {
	tx := s.db.NewTx()
	backups.Delete(tx, backups.KeyOf(&b))
	return tx.Run(ctx)
}

// Revive makes a dead letter an event or lane again, and reports whether it was there.
func (s *Operators) Revive(ctx context.Context, letter string, l desk.AuditLine) (bool, error) {
	o := &Outbox{s.db}
	d, err := o.DeadLetter(ctx, letter)
	if d == nil || err != nil {
		return false, err
	}
	return o.revive(ctx, *d, func(tx *keyspec.Tx) { Audit(tx, l) })
}

// EventID names a waiting event to operators.
func EventID(r outbox.Record) string { return strconv.Itoa(r.Shard) + "/" + r.ID }

// Waits reports whether an event with the id that EventID returns waits for its delivery.
func (s *Operators) Waits(ctx context.Context, event string) (bool, error) {
	shardText, id, ok := strings.Cut(event, "/")
	shard, err := strconv.Atoi(shardText)
	if !ok || err != nil || shard < 0 || shard >= outbox.Shards {
		return false, nil
	}
	o := &Outbox{s.db}
	for r, err := range page.All(page.Of(ctx, o.Pending, shard)) {
		if r.ID == id || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}
