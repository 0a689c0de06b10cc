package turns

import (
	"context"
	"testing"
	"testing/synctest"
)

// take takes a turn that must be granted.
func take(t *testing.T, turns *Turns, key string, weight int64) (end func()) {
	end, err := turns.Acquire(t.Context(), key, weight)
	if err != nil {
		t.Error(err)
	}
	return end
}

// A turn with the full weight waits for all others, and they wait for it.
func TestHeavyTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := New(3)
		light := take(t, turns, "ana", 1)
		started := make(chan string, 3)
		release := make(chan struct{})
		for _, op := range []struct {
			name   string
			weight int64
		}{{"heavy", 3}, {"light", 1}} {
			go func() {
				end := take(t, turns, "ana", op.weight)
				started <- op.name
				<-release
				end()
			}()
			synctest.Wait()
		}
		if len(started) > 0 {
			t.Fatalf("the %s operation does not wait for its turn", <-started)
		}
		light()
		synctest.Wait()
		if got := <-started; got != "heavy" || len(started) > 0 {
			t.Errorf("%s runs, and %d beside it", got, len(started))
		}
		close(release)
		if got := <-started; got != "light" {
			t.Error(got)
		}
	})
}

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := New(2)
		var ends []func()
		for range 2 {
			ends = append(ends, take(t, turns, "ana", 1))
		}
		third := make(chan func(), 1)
		go func() { third <- take(t, turns, "ana", 1) }()
		take(t, turns, "ben", 1)() // others do not wait
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

		full := take(t, turns, "ana", 1)
		defer full()
		defer take(t, turns, "ana", 1)()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		end, err := turns.Acquire(ctx, "ana", 1)
		if err == nil {
			t.Error("a third has a turn")
		}
		end() // it has no turn to give back
		if n := turns.of["ana"].holders; n != 2 {
			t.Errorf("%d hold a turn or wait for one, want 2", n)
		}
		if _, kept := turns.of["ben"]; kept {
			t.Error("turns are kept for somebody who runs nothing")
		}
	})
}

// What is left of a heavy turn leaves room for others, but counts.
func TestLighterTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := New(3)
		heavy, err := turns.Begin(t.Context(), "ana", 3)
		if err != nil {
			t.Fatal(err)
		}
		granted := make(chan func(), 3)
		for range 3 {
			go func() { granted <- take(t, turns, "ana", 1) }()
		}
		for step, want := range []struct {
			change func()
			more   int
		}{{func() {}, 0}, {heavy.Lighten, 2}, {heavy.Lighten, 0}, {heavy.End, 1}} {
			want.change()
			synctest.Wait()
			if n := len(granted); n != want.more {
				t.Errorf("step %d: %d more have a turn, want %d", step, n, want.more)
			}
			for range len(granted) {
				defer (<-granted)()
			}
		}
	})
}
