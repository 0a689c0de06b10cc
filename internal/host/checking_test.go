package host_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/engine"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/viewer"
	"stoa/internal/ops"
)

// house is an engine with identities, each with a guard of its address.
type house struct {
	tb    testing.TB
	eng   *engine.Engine
	db    *keyspec.DB
	store *ops.Store
	known []identity.Identity
	// written is the number of identities that were renamed.
	written atomic.Int64
}

func newHouse(tb testing.TB, identities int) *house {
	tb.Helper()
	eng, err := engine.Open(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { eng.Close() })
	h := &house{tb: tb, eng: eng, db: keyspec.Open(dynamo.NewFromIface(eng), "test-", host.Tables()...)}
	if err := h.db.CreateTables(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	h.store = ops.Open(h.db)
	var all atomic.Int64
	done := make(chan error)
	h.known = make([]identity.Identity, identities)
	for range 64 {
		go func() {
			for {
				n := int(all.Add(1)) - 1
				if n >= identities {
					done <- nil
					return
				}
				i := identity.Identity{UserID: viewer.UserID(fmt.Sprintf("us-east-1:%08d", n)), Email: fmt.Sprintf("%d@example.com", n), Revision: 1}
				h.known[n] = i
				if err := h.store.Identities.SaveIdentity(tb.Context(), identity.Identity{UserID: i.UserID}, i); err != nil {
					done <- err
					return
				}
			}
		}()
	}
	for range 64 {
		if err := <-done; err != nil {
			tb.Fatal(err)
		}
	}
	return h
}

// rename gives an identity another address, which moves its guard.
func (h *house) rename(ctx context.Context, n, round int) error {
	before := h.known[n]
	after := before
	after.Email, after.Revision = fmt.Sprintf("%d-%d@example.com", n, round), before.Revision+1
	if err := h.store.Identities.SaveIdentity(ctx, before, after); err != nil {
		return err
	}
	h.known[n] = after
	return nil
}

// checking returns a check that reads snapshots, or what is there at the time.
func (h *house) checking(exact bool, found func(host.Flaw) error) *host.Checking {
	c := &host.Checking{
		DB: h.db, Exact: exact, Now: time.Now, Read: func(int64) {}, Found: found,
		Settle: func(ctx context.Context, before time.Time) error { return host.Settle(ctx, h.store.Outbox, before) },
	}
	if exact {
		c.Open = func() (keyspec.Source, func() error, error) {
			s, err := h.eng.Snapshot()
			if err != nil {
				return nil, nil, err
			}
			return s, s.Close, nil
		}
	}
	return c
}

// write renames identities at a rate, 0 for as fast as possible, until ctx is done, and
// returns how many it has renamed.
func (h *house) write(ctx context.Context, perSecond int) (n int) {
	tick := time.NewTicker(time.Second / time.Duration(max(perSecond, 1)))
	defer tick.Stop()
	for round := 1; ; round++ {
		for who := range h.known {
			if perSecond > 0 {
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				return n
			}
			if err := h.rename(context.WithoutCancel(ctx), who, round); err != nil {
				h.tb.Error(err)
				return n
			}
			n++
			h.written.Add(1)
		}
	}
}

// operator 5#2: writes all the time make no false finding, and what is wrong is found among
// them.
func TestChecksBesideWrites(t *testing.T) {
	for _, exact := range []bool{true, false} {
		h := newHouse(t, 500)
		ctx, stop := context.WithCancel(t.Context())
		written := make(chan int)
		go func() { written <- h.write(ctx, 0) }()
		var found []string
		for checks := 0; checks < 5 || h.written.Load() < 10; checks++ {
			if err := h.checking(exact, func(f host.Flaw) error { found = append(found, f.Text); return nil }).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		if n := <-written; len(found) > 0 {
			t.Errorf("exact %t, beside %d writes: %q", exact, n, found)
		}

		// Wrong, while others write.
		ctx, stop = context.WithCancel(t.Context())
		go func() { written <- h.write(ctx, 0) }()
		table := dynamo.NewFromIface(h.eng).Table("test-ops")
		err := table.Put(map[string]any{"partitionKey": "identityEmail/nobody@example.com", "sortKey": "-", "schemaVersion": 0, "userId": "us-east-1:nobody"}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, repaired := range []bool{true, false} {
			found = nil
			c := h.checking(exact, func(f host.Flaw) error { found = append(found, fmt.Sprint(f.Text, " ", f.Repaired)); return nil })
			c.Repair = true
			if err := c.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := 0
			if repaired {
				want = 1
			}
			if len(found) != want || want == 1 && found[0] != `the e-mail address "nobody@example.com" is guarded for identity us-east-1:nobody, which does not have it true` {
				t.Errorf("exact %t: found %q", exact, found)
			}
		}
		stop()
		<-written
	}
}

// BenchmarkCheckBesideWrites reports the rate of writes, of which 500 a second are wanted, alone
// and beside checks of STOA_CHECK_ITEMS items, by default 200,000.
func BenchmarkCheckBesideWrites(b *testing.B) {
	items := 200_000
	if n, err := strconv.Atoi(os.Getenv("STOA_CHECK_ITEMS")); err == nil {
		items = n
	}
	h := newHouse(b, items/2)
	const rate = 500
	for b.Loop() {
		alone, stop := context.WithTimeout(b.Context(), 5*time.Second)
		before := h.write(alone, rate)
		stop()
		ctx, stop := context.WithCancel(b.Context())
		written := make(chan int)
		go func() { written <- h.write(ctx, rate) }()
		began, flaws := time.Now(), 0
		if err := h.checking(true, func(host.Flaw) error { flaws++; return nil }).Run(b.Context()); err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		stop()
		b.ReportMetric(float64(before)/5, "writes/s-alone")
		b.ReportMetric(float64(<-written)/took.Seconds(), "writes/s-beside")
		b.ReportMetric(float64(items)/took.Seconds(), "items/s")
		b.ReportMetric(float64(flaws), "false")
	}
}
