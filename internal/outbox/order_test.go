package outbox

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/kit/after"
)

// realtime 3#4: subscribers hear of a key in order, although responses may be written in
// any.
func TestSubscribersHearOfAKeyInTheOrderOfDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		var got []string
		d := w.dispatcher("p", noting(&got))
		answer := map[string]func(){}
		for _, what := range []string{"1", "2", "3"} {
			ctx, finish := after.Scope(t.Context())
			answer[what] = finish
			d.Committed(ctx, w.commit("ana", what)...)
		}
		go answer["3"]()
		go answer["2"]()
		synctest.Wait()
		equal(t, "told before the first answer", w.heard())
		d.Committed(t.Context(), w.commit("ben", "other")...)
		equal(t, "told of another key", w.heard(), "uother")
		answer["1"]()
		synctest.Wait()
		equal(t, "told", w.heard(), "uother", "u1", "u2", "u3")
		if len(d.order.last) != 0 {
			t.Errorf("%d keys are left", len(d.order.last))
		}
	})
}

// An event with several keys is heard in the order of each.
func TestSubscribersHearOfSeveralKeysInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o order
		var got []string
		next := func(what string, keys ...string) func() { return o.next(keys, func() { got = append(got, what) }) }
		first, both, last := next("first", "a"), next("both", "a", "b"), next("last", "b")
		go last()
		go both()
		synctest.Wait()
		equal(t, "told before the first", got)
		first()
		synctest.Wait()
		equal(t, "told", got, "first", "both", "last")
		if len(o.last) != 0 {
			t.Errorf("%d keys are left", len(o.last))
		}
	})
}

func TestNotificationsWaitForASlowAnswerOnlySoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		var got []string
		d := w.dispatcher("p", noting(&got))
		slow, answerSlowly := after.Scope(t.Context())
		d.Committed(slow, w.commit("ana", "1")...)
		go d.Committed(t.Context(), w.commit("ana", "2")...)
		time.Sleep(patience - 1)
		equal(t, "told before the patience ended", w.heard())
		time.Sleep(1)
		synctest.Wait()
		equal(t, "told then", w.heard(), "u2")
		answerSlowly()
		equal(t, "told in the end", w.heard(), "u2", "u1")
	})
}

func TestCommitsInOrderDoNotOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newWorld().dispatcher("p")
		var all sync.WaitGroup
		var running atomic.Int32
		for range 10 {
			all.Go(func() {
				_ = s.InOrder("chat", func() error {
					if running.Add(1) > 1 {
						t.Error("two commits with one key at a time")
					}
					time.Sleep(time.Second)
					running.Add(-1)
					return nil
				})
			})
		}
		all.Wait()
	})
}
