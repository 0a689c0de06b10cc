package host

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"stoa/internal/kit/keyspec"
)

// Checking is a check of a whole store: of every index key, every counter, and the invariants
// of identity and of the systems.
//
// Where others write meanwhile, what looks wrong is reported only if it still does when the
// store is read again, after the events that may correct it have been delivered. Snapshots
// are read twice at most. Without them, a read sees a part of a change, so three reads in a
// row have to find the same, which the counters of busy items never do: those are left out.
type Checking struct {
	DB      *keyspec.DB
	Systems []System
	// Open opens what is read, nil standing for the DB, and Exact reports whether that is a
	// snapshot.
	Open  func() (s keyspec.Source, closeSource func() error, err error)
	Exact bool
	// Settle waits until the events from before a time have been delivered, or gives up. It is
	// nil if nobody else writes.
	Settle func(ctx context.Context, before time.Time) error
	// Repair corrects what is wrong, unless it has changed since it was read.
	Repair bool
	Now    func() time.Time
	// Read is called with the number of items read so far, Found with everything that is wrong.
	// Neither may be nil.
	Read  func(items int64)
	Found func(Flaw) error
}

// Flaw is something that is wrong in a store.
type Flaw struct {
	// Table and Key are "" for what is about several items.
	Table, Key string
	Text       string
	Repaired   bool
}

// suspect is what looks wrong: one of the two is set.
type suspect struct {
	finding *keyspec.Finding
	flaw    *keyspec.Flaw
}

// Run checks the store.
func (c *Checking) Run(ctx context.Context) error {
	began := c.Now()
	suspects, err := c.read(ctx)
	if err != nil {
		return err
	}
	again := 0
	switch {
	case c.Settle == nil:
	case c.Exact:
		again = 1
	default:
		again = 2
	}
	for range again {
		if len(suspects) == 0 {
			return nil
		}
		if err := c.Settle(ctx, began); err != nil {
			return err
		}
		began = c.Now()
		found, err := c.read(ctx)
		if err != nil {
			return err
		}
		suspects = c.both(suspects, found)
	}
	var errs []error
	for _, s := range suspects {
		flaw, err := c.convict(ctx, s)
		errs = append(errs, err, c.Found(flaw))
	}
	return errors.Join(errs...)
}

// read returns what looks wrong.
func (c *Checking) read(ctx context.Context) (suspects []suspect, err error) {
	source := c.DB.Source()
	if c.Open != nil {
		var closeSource func() error
		if source, closeSource, err = c.Open(); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, closeSource()) }()
	}
	counted := &paced{Source: source, rests: c.Settle != nil, read: c.Read}
	if err := c.DB.From(counted).Verify(ctx, func(f keyspec.Finding) { suspects = append(suspects, suspect{finding: &f}) }); err != nil {
		return nil, err
	}
	counted.read = func(int64) {} // these items have been counted
	flaws, err := Broken(ctx, c.DB.From(counted), c.Now(), c.Systems...)
	for _, f := range flaws {
		suspects = append(suspects, suspect{flaw: &f})
	}
	return suspects, err
}

// both returns what looked wrong before, as it looks now, if it still does.
func (c *Checking) both(before, now []suspect) (both []suspect) {
	looked := map[string]bool{}
	for _, s := range before {
		looked[c.identity(s)] = true
	}
	for _, s := range now {
		if looked[c.identity(s)] {
			both = append(both, s)
		}
	}
	return both
}

// identity returns a text that is the same for what is wrong in the same way. Of a counter
// in snapshots, that is the difference, which the changes in between do not touch.
func (c *Checking) identity(s suspect) string {
	if s.flaw != nil {
		return s.flaw.Text
	}
	f := s.finding
	subject := fmt.Sprintf("%q %q %q %q %s", f.Table, f.PK, f.SK, f.Attribute, f.Problem)
	if f.Problem != keyspec.WrongCount {
		return subject
	}
	if is, err := strconv.Atoi(f.Is); err == nil && c.Exact {
		if want, err := strconv.Atoi(f.Want); err == nil {
			return subject + " " + strconv.Itoa(want-is)
		}
	}
	return subject + " " + f.Is + " " + f.Want
}

// convict describes what is wrong, and repairs it if requested and possible.
func (c *Checking) convict(ctx context.Context, s suspect) (flaw Flaw, err error) {
	if f := s.finding; f != nil {
		flaw = Flaw{Table: f.Table, Key: f.PK + " | " + f.SK, Text: f.String()}
		if c.Repair {
			flaw.Repaired, err = c.DB.Repair(ctx, *f)
		}
	} else {
		flaw = Flaw{Text: s.flaw.Text}
		if c.Repair {
			flaw.Repaired, err = c.DB.Mend(ctx, *s.flaw)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", flaw.Text, err)
	}
	return flaw, err
}

// stretch is the number of items after which a paced source looks at the time.
const stretch = 256

// paced is a source that is read no more than half of the time, so that those who write are
// not slowed down, and counts what is read.
type paced struct {
	keyspec.Source
	rests bool
	items int64
	read  func(items int64)
}

func (p *paced) Items(ctx context.Context, table string, after keyspec.Item, visit func(keyspec.Item) error) error {
	began := time.Now()
	err := p.Source.Items(ctx, table, after, func(item keyspec.Item) error {
		if p.items++; p.items%stretch == 0 {
			p.read(p.items)
			if p.rests {
				if !sleep(ctx, time.Since(began)) {
					return ctx.Err()
				}
				began = time.Now()
			}
		}
		return visit(item)
	})
	p.read(p.items)
	return err
}

// sleep returns false if ctx is done first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
