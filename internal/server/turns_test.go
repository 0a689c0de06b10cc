package server

import (
	"context"
	"testing"
	"testing/synctest"
)

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(2)
		var ends []func()
		for range 2 {
			ends = append(ends, turns.take(t.Context(), "ana"))
		}
		third := make(chan func(), 1)
		go func() { third <- turns.take(t.Context(), "ana") }()
		turns.take(t.Context(), "ben")() // others do not wait
		synctest.Wait()
		if len(third) > 0 {
			t.Error("a third operation runs beside two")
		}
		ends[0]()
		synctest.Wait()
		if len(third) == 0 {
			t.Fatal("the third operation waits although one has ended")
		}
		ends[1]()
		(<-third)()

		full := turns.take(t.Context(), "ana")
		defer full()
		defer turns.take(t.Context(), "ana")()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		turns.take(ctx, "ana")() // whoever gives up has no turn to give back
		if n := turns.of["ana"].holders; n != 2 {
			t.Errorf("%d hold a turn or wait for one, want 2", n)
		}
		if _, kept := turns.of["ben"]; kept {
			t.Error("turns are kept for somebody who runs nothing")
		}
	})
}
