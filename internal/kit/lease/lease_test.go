package lease_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"stoa/internal/kit/lease"
	"stoa/internal/kit/lease/leasetest"
)

type world struct {
	store *leasetest.Store
	now   time.Time
}

func newWorld() *world {
	return &world{store: &leasetest.Store{}, now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func (w *world) client(holder string) *lease.Client {
	return &lease.Client{Store: w.store, Holder: holder, For: 20 * time.Second, Now: func() time.Time { return w.now }}
}

func (w *world) take(t *testing.T, holder string) *lease.Lease {
	t.Helper()
	l, err := w.client(holder).Acquire(t.Context(), "job")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestOneHolderAtATime(t *testing.T) {
	w := newWorld()
	a := w.take(t, "a")
	if a == nil || !a.Held() || a.Term() != 1 {
		t.Fatalf("a took %+v", a)
	}
	if b := w.take(t, "b"); b != nil {
		t.Fatal("b took a lease that a holds")
	}
	w.now = w.now.Add(16 * time.Second)
	if a.Held() {
		t.Error("a still relies on a lease that ends in 4 s")
	}
	if b := w.take(t, "b"); b != nil {
		t.Fatal("b took the lease before its end")
	}
	w.now = w.now.Add(4 * time.Second)
	b := w.take(t, "b")
	if b == nil || b.Term() != 2 {
		t.Fatalf("b took %+v after the end", b)
	}
	if kept, err := a.Renew(t.Context()); kept || err != nil || a.Held() {
		t.Errorf("a renewed a lost lease: %v, %v, held %v", kept, err, a.Held())
	}
	if err := a.Release(t.Context()); err != nil || !b.Held() {
		t.Errorf("a's release touched b's lease: %v", err)
	}
	if kept, err := b.Renew(t.Context()); !kept || err != nil {
		t.Errorf("b could not renew: %v, %v", kept, err)
	}
}

func TestRenewingExtends(t *testing.T) {
	w := newWorld()
	a := w.take(t, "a")
	if a.Due() {
		t.Error("a fresh lease is due for renewal")
	}
	w.now = w.now.Add(6 * time.Second)
	if !a.Due() || !a.Held() {
		t.Errorf("after 6 of 20 s: due %v, held %v", a.Due(), a.Held())
	}
	if kept, err := a.Renew(t.Context()); !kept || err != nil {
		t.Fatalf("Renew = %v, %v", kept, err)
	}
	w.now = w.now.Add(14 * time.Second)
	if !a.Held() || a.Term() != 1 {
		t.Errorf("after the renewal: held %v, term %d", a.Held(), a.Term())
	}
}

func TestAReleasedLeaseIsFreeAndItsTermGoesOn(t *testing.T) {
	w := newWorld()
	a := w.take(t, "a")
	if err := a.Release(t.Context()); err != nil || a.Held() {
		t.Fatalf("Release: %v, held %v", err, a.Held())
	}
	if b := w.take(t, "b"); b == nil || b.Term() != 2 {
		t.Errorf("b took %+v", b)
	}
}

func TestAProcessInheritsFromTheDeadOneOfItsName(t *testing.T) {
	w := newWorld()
	w.take(t, "a")
	if again := w.take(t, "a"); again == nil || again.Term() != 2 {
		t.Errorf("took %+v", again)
	}
}

func TestManyTakeOneGets(t *testing.T) {
	w := newWorld()
	var mu sync.Mutex
	got := 0
	var all sync.WaitGroup
	for _, holder := range []string{"a", "b", "c", "d", "e", "f"} {
		all.Go(func() {
			if l, err := w.client(holder).Acquire(t.Context(), "job"); err == nil && l != nil {
				mu.Lock()
				got++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if got != 1 {
		t.Errorf("%d holders", got)
	}
}

func TestAFailingStoreIsReportedAndLeavesTheLease(t *testing.T) {
	w := newWorld()
	a := w.take(t, "a")
	failure := errors.New("no store")
	w.store.Fail(failure)
	if _, err := w.client("b").Acquire(t.Context(), "job"); !errors.Is(err, failure) {
		t.Errorf("Acquire = %v", err)
	}
	if _, err := a.Renew(t.Context()); !errors.Is(err, failure) {
		t.Errorf("Renew = %v", err)
	}
	if !a.Held() {
		t.Error("a failed renewal ended the lease early")
	}
}
