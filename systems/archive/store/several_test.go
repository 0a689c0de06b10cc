package store

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"stoa/systems/archive"
)

// However many fields of an operation read things by id, they read a few at a time.
func TestReadsOfAnOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := archive.WithMemo(t.Context())
		var running atomic.Int32
		release, done := make(chan struct{}), make(chan error)
		read := func(context.Context, archive.ID) (*int, error) {
			running.Add(1)
			<-release
			return new(int), nil
		}
		ids := make([]archive.ID, 100)
		for i := range ids {
			ids[i] = archive.ID(i + 1)
		}
		for range 3 {
			go func() {
				found, err := several(ctx, ids, read)
				if len(found) != len(ids) {
					t.Errorf("%d found", len(found))
				}
				done <- err
			}()
		}
		synctest.Wait()
		if n := running.Load(); n != archive.MaxReads {
			t.Errorf("%d reads are running", n)
		}
		close(release)
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}
