package bus

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatSubscribersNeedIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b Local
		var all []<-chan Message
		for range 5 {
			all = append(all, subscribe(t, &b, t.Context(), "a"))
		}
		publish(t, &b, "a", "1")
		publish(t, &b, "a", "2")
		reads := 0
		read := func(context.Context) (any, error) {
			reads++
			time.Sleep(12 * time.Millisecond)
			return reads, nil
		}
		hear := func(messages <-chan Message, want int) {
			if got, err := (<-messages).Memo.Do(t.Context(), "row", read); got != want || err != nil {
				t.Errorf("read %v, %v, want %d", got, err, want)
			}
		}
		var waits sync.WaitGroup
		for _, messages := range all[:3] {
			waits.Go(func() { hear(messages, 1) })
		}
		waits.Wait()
		hear(all[3], 1)
		time.Sleep(fresh)
		hear(all[4], 2) // who is late reads what is there now
		for _, messages := range all {
			hear(messages, 3)
		}
	})
}

func TestErrorsAreNotShared(t *testing.T) {
	var m Memo
	broken := errors.New("broken")
	fails := func(context.Context) (any, error) { return nil, broken }
	works := func(context.Context) (any, error) { return "value", nil }
	if _, err := m.Do(t.Context(), "a", fails); err != broken {
		t.Error(err)
	}
	if got, err := m.Do(t.Context(), "a", works); got != "value" || err != nil {
		t.Error(got, err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = m.Do(t.Context(), "b", func(context.Context) (any, error) { panic("oh") })
	}()
	if got, err := m.Do(t.Context(), "b", works); got != "value" || err != nil {
		t.Error(got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reading, end := make(chan struct{}), make(chan struct{})
	go m.Do(t.Context(), "c", func(context.Context) (any, error) { close(reading); <-end; return nil, nil })
	<-reading
	if _, err := m.Do(ctx, "c", works); err != context.Canceled {
		t.Error(err)
	}
	close(end)
	if got, err := (*Memo)(nil).Do(t.Context(), "a", works); got != "value" || err != nil {
		t.Error(got, err)
	}
}
