package host_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/host/toy"
	"stoa/internal/kit/dump"
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
