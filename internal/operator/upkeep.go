package operator

import (
	"context"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/outbox"
)

// Upkeep is what operators see of the store and do with it.
type Upkeep interface {
	Tables(ctx context.Context) ([]*Table, error)
	// Items returns stored items. It refuses unknown names, naming the field.
	Items(ctx context.Context, l Listing, q page.Query) (page.Page[*Item], error)

	// StartBackup starts a backup once commit has stored it, unless one is running.
	StartBackup(ctx context.Context, id string, commit func(ctx context.Context, b desk.Backup) error) (*Backup, error)
	// Backups returns the backups of all processes, newest first.
	Backups(ctx context.Context) ([]*Backup, error)

	// StartCheck starts a check once commit has succeeded, unless one is running.
	StartCheck(ctx context.Context, id string, repair bool, commit func(ctx context.Context) error) (*Check, error)
	// Checks returns the checks of this process, newest first.
	Checks() []*Check

	// Redeliver attempts to deliver an event that waits in this process, and reports whether
	// it does wait there.
	Redeliver(event string) bool
	// Figures returns the last hour.
	Figures() []*Figures
}

// UpkeepStore stores what operators do with the store. Each write includes a line of the
// audit log.
type UpkeepStore interface {
	// BeginBackup stores a backup that begins.
	BeginBackup(ctx context.Context, b desk.Backup, l AuditLine) error
	// Revive makes a dead letter an event again, and reports whether it was there.
	Revive(ctx context.Context, event string, l AuditLine) (bool, error)
	// Waits reports whether an event waits for its delivery.
	Waits(ctx context.Context, event string) (bool, error)
}

// Table describes a table.
type Table struct {
	Name         string
	Items, Bytes int64
	Indexes      []string
	Rows         []*RowKind
}

// RowKind is a declared kind of items, with the templates of its primary key.
type RowKind struct{ Name, PartitionKey, SortKey string }

// Listing selects stored items. Index and SortKeyPrefix may be "".
type Listing struct{ Table, Index, PartitionKey, SortKeyPrefix string }

// Item is a stored item.
type Item struct {
	PartitionKey, SortKey string
	// Attributes is a JSON object.
	Attributes string
	// Row is nil for an item that belongs to no declared row.
	Row     *string
	Parts   []*KeyPart
	Related []*RelatedKey
}

// KeyPart is the value of a slot of a key.
type KeyPart struct{ Name, Value string }

// RelatedKey selects items that share an id with one.
type RelatedKey struct {
	Table         string
	Index         *string
	PartitionKey  string
	SortKeyPrefix *string
}

// Backup is a copy of all items.
type Backup struct {
	ID        string
	StartedAt time.Time
	// EndedAt is nil while it is written, and if the process died over it.
	EndedAt      *time.Time
	Bytes, Items int64
	Place        string
	Failure      *string
}

// Check is a check of the store.
type Check struct {
	ID        string
	StartedAt time.Time
	EndedAt   *time.Time
	// Items have been read, of about Total.
	Items, Total int64
	Findings     []*Finding
	Repaired     int
	Failure      *string
}

// Finding is something that is wrong in the store.
type Finding struct {
	Table, Key, Text string
	Repaired         bool
}

// Figures describe one minute.
type Figures struct {
	// At is the end of the minute.
	At                 time.Time
	Operations, Errors float64
	// P50 and P99 are durations of operations in seconds.
	P50, P99               float64
	Sockets, Subscriptions int
	Memory                 int64
	Undelivered            int
}

// DeadEvent is an event that is not attempted anymore.
type DeadEvent struct {
	ID, Name, About string
	At              time.Time
	Error           string
}

// ProcessInfo is a process that delivers events.
type ProcessInfo struct {
	ID, Version       string
	StartedAt, SeenAt time.Time
	// ClockDifference is how far its clock is ahead, in seconds.
	ClockDifference float64
}

// MailQueue is the mail that waits, and what was sent today.
type MailQueue struct {
	Waiting, FailedToday, SentToday int
	LastError                       *string
}

// Tables returns the tables.
func (s *Service) Tables(ctx context.Context) ([]*Table, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Tables(ctx)
}

// Items returns stored items, and leaves a line in the audit log, since they may be about
// people.
func (s *Service) Items(ctx context.Context, of Listing, args page.Args) (page.Page[*Item], error) {
	a, err := s.operator(ctx)
	if err != nil {
		return page.Page[*Item]{}, err
	}
	l, err := page.ListOf(args, "operator.items", a.UserID, of.Table, of.Index, of.PartitionKey, of.SortKeyPrefix)
	if err != nil {
		return page.Page[*Item]{}, err
	}
	p, err := s.Process.Items(ctx, of, l.Query)
	if p, err = page.Seal(l, p, err); err != nil {
		return page.Page[*Item]{}, err
	}
	return p, s.Store.Note(ctx, s.line(a, act{action: "items", subject: of.PartitionKey, naming: true, after: fields{"table": of.Table, "index": of.Index}}))
}

// Backups returns the backups, newest first.
func (s *Service) Backups(ctx context.Context) ([]*Backup, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Backups(ctx)
}

// StartBackup starts a backup.
func (s *Service) StartBackup(ctx context.Context) (*Backup, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return nil, err
	}
	return s.Process.StartBackup(ctx, s.NewID(), func(ctx context.Context, b desk.Backup) error {
		return s.Store.BeginBackup(ctx, b, s.line(a, act{action: "startBackup", subject: b.ID, after: fields{"place": b.Place}}))
	})
}

// StreamBackup admits somebody who fetches a backup, which leaves a line in the audit log.
func (s *Service) StreamBackup(ctx context.Context) error {
	a, err := s.operator(ctx)
	if err != nil {
		return err
	}
	return s.Store.Note(ctx, s.line(a, act{action: "fetchBackup"}))
}

// Checks returns the checks of this process, newest first.
func (s *Service) Checks(ctx context.Context) ([]*Check, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Checks(), nil
}

// StartCheck starts a check.
func (s *Service) StartCheck(ctx context.Context, repair bool) (*Check, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return nil, err
	}
	id := s.NewID()
	return s.Process.StartCheck(ctx, id, repair, func(ctx context.Context) error {
		return s.Store.Note(ctx, s.line(a, act{action: "startCheck", subject: id, after: fields{"repair": repair}}))
	})
}

// CheckChanged tells operators how a check goes.
type CheckChanged struct{ Check Check }

const checkChanged = "operator.check"

// Subject implements outbox.Message.
func (CheckChanged) Subject() string { return checkChanged }

// CheckProgressed returns how checks go from now on.
func (s *Service) CheckProgressed(ctx context.Context) (<-chan *Check, error) {
	admit := func(ctx context.Context) error { _, err := s.operator(ctx); return err }
	return outbox.Follow(ctx, s.Bus, checkChanged, s.Now(), admit, func(_ context.Context, m *CheckChanged) (*Check, bool, error) {
		return &m.Check, false, nil
	})
}

// Redeliver attempts to deliver an event again. It returns false if another process delivers
// it.
func (s *Service) Redeliver(ctx context.Context, event string) (bool, error) {
	a, err := s.operator(ctx)
	if err != nil {
		return false, err
	}
	line := s.line(a, act{action: "redeliver", subject: event})
	if revived, err := s.Store.Revive(ctx, event, line); revived || err != nil {
		return revived, err
	}
	switch waits, err := s.Store.Waits(ctx, event); {
	case err != nil:
		return false, err
	case !waits:
		return false, refusal.NotFoundf("Event `%s` does not wait for its delivery", event)
	}
	if err := s.Store.Note(ctx, line); err != nil {
		return false, err
	}
	return s.Process.Redeliver(event), nil
}

// Figures returns the last hour of this process.
func (s *Service) Figures(ctx context.Context) ([]*Figures, error) {
	if _, err := s.operator(ctx); err != nil {
		return nil, err
	}
	return s.Process.Figures(), nil
}
