package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"
	"time"

	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/host/toy"
	"stoa/internal/kit/dump"
	"stoa/internal/kit/page"
	"stoa/internal/media/blob"
)

// full is a place that takes nothing.
type full struct{ blob.Store }

func (full) Put(context.Context, string, io.Reader) (int64, error) { return 0, errors.New("no space") }

// A backup whose place fails at once, while items are still being read for it, makes room for the
// next one.
func TestABackupThatFailsIsOver(t *testing.T) {
	h := newHost(t, nil, toy.System())
	h.Desk.BackupPlace = host.BackupPlace{Store: full{}, Name: "full", Keep: 1}
	read := make(chan struct{}, 2)
	h.Desk.Export = func(_ context.Context, to io.Writer, progress dump.Progress) (dump.Summary, error) {
		defer func() { read <- struct{}{} }()
		time.Sleep(100 * time.Millisecond)
		progress(1, 2)
		_, err := to.Write([]byte("items"))
		return dump.Summary{}, err
	}
	for _, id := range []string{"11111111", "22222222"} {
		begin := func(ctx context.Context, b desk.Backup) error { return h.Ops.Operators.SaveBackup(ctx, b) }
		// The process forgets the first one a moment after it has stored how that ended.
		for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			_, err := h.Desk.StartBackup(t.Context(), id, begin)
			if err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("backup %s: %v", id, err)
			}
		}
		<-read
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			all, err := h.Desk.Backups(t.Context())
			if err != nil || time.Now().After(deadline) {
				t.Fatalf("backup %s does not end: %v", id, err)
			}
			if all[0].ID == id && all[0].Failure != nil {
				break
			}
		}
	}
}

// faulty is a place that fails on request.
type faulty struct {
	blob.Store
	fault error
}

func (f *faulty) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if f.fault != nil {
		return 0, f.fault
	}
	return f.Store.Put(ctx, key, r)
}

// operator 5#3: the newest backups are kept, failures and files in other places do not count, and
// what has just been written stays, whatever the clock has dated others.
func TestBackupsOverTime(t *testing.T) {
	h := newHost(t, nil, toy.System())
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	h.Now = func() time.Time { return now }
	place := &faulty{Store: blob.NewMemory()}
	h.Desk.BackupPlace = host.BackupPlace{Store: place, Name: "here", Every: time.Hour, Keep: 2}
	h.Desk.Export = func(_ context.Context, to io.Writer, _ dump.Progress) (dump.Summary, error) {
		_, err := to.Write([]byte("items"))
		return dump.Summary{}, err
	}
	h.Desk.ScheduleBackups()
	keys := map[string]string{} // of all backups that were written, by day
	back := func(day int) error {
		now = time.Date(2030, 1, day, 0, 0, 0, 0, time.UTC)
		err := h.Jobs.RunNow(t.Context(), host.BackupJob)
		for b, listErr := range backupsOf(t, h) {
			if listErr != nil {
				t.Fatal(listErr)
			}
			if b.StartedAt.Equal(now) {
				keys[fmt.Sprint(day)] = b.Key
			}
		}
		return err
	}
	kept := func(want ...string) {
		t.Helper()
		stored := map[string]bool{}
		for _, day := range want {
			stored[day] = true
		}
		for day, key := range keys {
			if _, err := place.Head(t.Context(), key); (err == nil) != stored[day] {
				t.Errorf("the backup of day %s: %v, want stored %v", day, err, stored[day])
			}
		}
	}
	mustBack := func(day int) {
		t.Helper()
		if err := back(day); err != nil {
			t.Fatal(err)
		}
	}
	mustBack(1)
	mustBack(2)
	kept("1", "2")
	place.fault = errors.New("no space left on device")
	if err := back(3); !errors.Is(err, place.fault) {
		t.Errorf("without space: %v", err)
	}
	delete(keys, "3")
	place.fault = nil
	kept("1", "2")
	mustBack(4)
	kept("2", "4")
	// The process dies in the middle of one.
	now = now.Add(time.Hour)
	if err := h.Ops.Operators.SaveBackup(t.Context(), desk.Backup{ID: "dead", StartedAt: now, Key: "dead", Place: "here/dead"}); err != nil {
		t.Fatal(err)
	}
	mustBack(5)
	kept("4", "5")
	// The place changes, and later changes back.
	h.Desk.BackupPlace.Name = "there"
	mustBack(6)
	mustBack(7)
	mustBack(8)
	kept("4", "5", "7", "8")
	h.Desk.BackupPlace.Name = "here"
	// The clock was wrong for a while.
	mustBack(30)
	mustBack(31)
	kept("4", "5", "7", "8", "30", "31")
	mustBack(9)
	mustBack(10)
	for _, day := range []string{"10", "31"} {
		if _, err := place.Head(t.Context(), keys[day]); err != nil {
			t.Errorf("the backup of day %s is gone: %v", day, err)
		}
	}
	n := 0
	for b, err := range backupsOf(t, h) {
		if err != nil || !b.Complete() {
			t.Errorf("listed %+v, %v", b, err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d backups are listed, want 2", n)
	}
}

func backupsOf(t *testing.T, h *host.Host) iter.Seq2[desk.Backup, error] {
	return page.All(page.In(t.Context(), h.Ops.Operators.Backups))
}
