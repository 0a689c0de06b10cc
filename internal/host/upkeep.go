package host

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"stoa/internal/desk"
	"stoa/internal/kit/dump"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/tasks"
	"stoa/internal/media/blob"
	"stoa/internal/operator"
	"stoa/internal/outbox"
)

// upkeep is the part of a Desk about the store and the process. Its exported fields may be
// zero, and are set before anything is served.
type upkeep struct {
	// Source opens what checks read, and Snapshots reports whether that is a snapshot.
	Source    func() (keyspec.Source, func() error, error)
	Snapshots bool
	// Export writes all items to a file; nil if backups cannot be taken.
	Export func(ctx context.Context, to io.Writer, progress dump.Progress) (dump.Summary, error)
	// Backups is where backups are stored; its Store is nil if that is not configured.
	BackupPlace BackupPlace

	mu sync.Mutex
	// checks are those of this process, newest first; they are replaced, never changed.
	checks   []*operator.Check
	checking bool
	// backup is the one that this process writes; nil for none.
	backup *desk.Backup
	// newest is when the newest complete backup was started, as far as this process knows.
	newest time.Time
	// figures are those of the last hour.
	figures figures

	// work is what runs in the background until end is called.
	work    tasks.Group
	working context.Context
	end     context.CancelFunc
}

// BackupPlace is where backups are stored.
type BackupPlace struct {
	// Store is where, and Name what operators call it.
	Store blob.Store
	Name  string
	// Every is the interval of backups, 0 for none, and Keep the number that is kept.
	Every time.Duration
	Keep  int
}

func (u *upkeep) open() { u.working, u.end = context.WithCancel(context.Background()) }

// close ends what runs in the background.
func (u *upkeep) close() {
	u.end()
	u.work.Wait()
}

// Tables returns the tables.
func (d *Desk) Tables(ctx context.Context) ([]*operator.Table, error) {
	outlines, err := d.host.DB.Outline(ctx)
	if err != nil {
		return nil, err
	}
	all := []*operator.Table{}
	for _, o := range outlines {
		t := &operator.Table{Name: o.Name, Items: o.Items, Bytes: o.Bytes, Indexes: append([]string{}, o.Indexes...), Rows: []*operator.RowKind{}}
		for _, r := range o.Rows {
			t.Rows = append(t.Rows, &operator.RowKind{Name: r.Name, PartitionKey: r.PK, SortKey: r.SK})
		}
		all = append(all, t)
	}
	return all, nil
}

// Items returns stored items.
func (d *Desk) Items(ctx context.Context, l operator.Listing, q page.Query) (page.Page[*operator.Item], error) {
	found, next, err := d.host.DB.Browse(ctx, keyspec.Listing{
		Table: l.Table, Index: l.Index, Partition: l.PartitionKey, Prefix: l.SortKeyPrefix, Limit: q.First, After: q.After,
	})
	var refused *keyspec.ListingError
	switch {
	case errors.As(err, &refused):
		return page.Page[*operator.Item]{}, refusal.New(refusal.BadInput, "", "%s", refused.Text).With("field", refused.Field)
	case errors.Is(err, keyspec.ErrCursor):
		return page.Page[*operator.Item]{}, page.ErrToken
	case err != nil:
		return page.Page[*operator.Item]{}, err
	}
	p := page.Page[*operator.Item]{Items: []*operator.Item{}, Next: next}
	for _, i := range found {
		shown := &operator.Item{
			PartitionKey: i.PK, SortKey: i.SK, Attributes: i.Attributes, Row: optional.IfSet(i.Row),
			Parts: []*operator.KeyPart{}, Related: []*operator.RelatedKey{},
		}
		for _, part := range i.Parts {
			shown.Parts = append(shown.Parts, &operator.KeyPart{Name: part.Name, Value: part.Value})
		}
		for _, r := range i.Related {
			shown.Related = append(shown.Related, &operator.RelatedKey{Table: r.Table, Index: optional.IfSet(r.Index), PartitionKey: r.PK})
		}
		p.Items = append(p.Items, shown)
	}
	return p, nil
}

const (
	// maxChecks is the number of checks that a process remembers, maxFindings the number of
	// findings of each.
	maxChecks   = 20
	maxFindings = 1000
	// checkEvery is the interval at which operators are told how a check goes.
	checkEvery = 500 * time.Millisecond
)

var errChecking = refusal.New(refusal.Taken, "", "A check is running: wait until it ends")

// StartCheck starts a check in the background.
func (d *Desk) StartCheck(ctx context.Context, id string, repair bool, commit func(context.Context) error) (*operator.Check, error) {
	c, err := d.beginCheck(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := commit(ctx); err != nil {
		d.endCheck(c.ID)
		return nil, err
	}
	d.work.Go(func() {
		if err := d.check(d.working, c, repair, func(Flaw) error { return nil }); err != nil {
			d.host.Log.Error("a check of the store failed", "error", err)
		}
	})
	return c, nil
}

// Check checks the store now, for a command.
func (d *Desk) Check(ctx context.Context, repair bool, found func(Flaw) error) error {
	c, err := d.beginCheck(ctx, d.host.NewID())
	if err != nil {
		return err
	}
	return d.check(ctx, c, repair, found)
}

func (d *Desk) beginCheck(ctx context.Context, id string) (*operator.Check, error) {
	total, err := d.host.DB.ItemCount(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.checking {
		return nil, errChecking
	}
	d.checking = true
	c := &operator.Check{ID: id, StartedAt: d.host.Now(), Total: total, Findings: []*operator.Finding{}}
	d.checks = append([]*operator.Check{c}, d.checks[:min(len(d.checks), maxChecks-1)]...)
	return c, nil
}

// endCheck forgets a check that was not begun after all.
func (d *Desk) endCheck(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checking = false
	d.checks = slices.DeleteFunc(slices.Clone(d.checks), func(c *operator.Check) bool { return c.ID == id })
}

// check runs a check that has begun.
func (d *Desk) check(ctx context.Context, c *operator.Check, repair bool, found func(Flaw) error) error {
	now := *c
	told := time.Now()
	show := func(end bool) {
		shown := now
		shown.Findings = slices.Clone(now.Findings)
		d.mu.Lock()
		for i := range d.checks {
			if d.checks[i].ID == now.ID {
				d.checks[i] = &shown
			}
		}
		d.checking = d.checking && !end
		d.mu.Unlock()
		if end || time.Since(told) >= checkEvery {
			told = time.Now()
			_ = outbox.Publish(context.WithoutCancel(ctx), d.host.Bus, d.host.Now(), operator.CheckChanged{Check: shown}) // shown later
		}
	}
	checking := &Checking{
		DB: d.host.DB, Systems: d.host.systems, Open: d.Source, Exact: d.Snapshots, Repair: repair, Now: d.host.Now,
		Settle: func(ctx context.Context, before time.Time) error {
			return Settle(ctx, d.host.Ops.Outbox, before)
		},
		Read: func(items int64) {
			now.Items = max(now.Items, items)
			now.Total = max(now.Total, now.Items)
			show(false)
		},
		Found: func(f Flaw) error {
			if f.Repaired {
				now.Repaired++
			}
			if len(now.Findings) < maxFindings {
				now.Findings = append(now.Findings, &operator.Finding{Table: f.Table, Key: f.Key, Text: f.Text, Repaired: f.Repaired})
			}
			show(false)
			return found(f)
		},
	}
	err := checking.Run(ctx)
	now.EndedAt = optional.IfSet(d.host.Now())
	if err != nil {
		now.Failure = optional.IfSet(err.Error())
	}
	show(true)
	return err
}

// Checks returns the checks of this process, newest first.
func (d *Desk) Checks() []*operator.Check {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*operator.Check{}, d.checks...)
}

// Redeliver attempts to deliver an event at once, if it waits in this process.
func (d *Desk) Redeliver(event string) bool {
	_, id, _ := cutEventID(event)
	return d.host.Outbox.Retry(id)
}

// deadEvents returns the events that are not attempted anymore.
func (d *Desk) deadEvents(ctx context.Context) ([]*operator.DeadEvent, error) {
	letters, err := d.host.Ops.Outbox.DeadLetters(ctx, page.Query{First: page.Max})
	if err != nil {
		return nil, err
	}
	all := []*operator.DeadEvent{}
	for _, l := range letters.Items {
		all = append(all, &operator.DeadEvent{ID: l.Letter, Name: l.Record.Name, About: l.Key, At: l.Record.At, Error: cmp.Or(l.Error, "unknown")})
	}
	return all, nil
}
