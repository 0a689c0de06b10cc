package presence_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
	"stoa/systems/messaging"
	"stoa/systems/messaging/presence"
)

// blocked is a store whose writes last until it is released.
type blocked struct {
	presence.Store
	release chan struct{}
}

func (b blocked) Facts(_ context.Context, w messaging.Wanted) (*messaging.Facts, error) {
	f := &messaging.Facts{Users: map[messaging.UserID]*messaging.User{}}
	for _, id := range w.Users {
		f.Users[id] = &messaging.User{ID: id, State: messaging.InUse}
	}
	return f, nil
}

func (b blocked) Swap(context.Context, *messaging.Sessions, *messaging.Sessions, messaging.Left, ...outbox.Record) error {
	<-b.release
	return nil
}

// A request that waits for another change of the same user's sessions ends with its context.
func TestWaitingEndsWithTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := blocked{release: make(chan struct{})}
		s := presence.New(store, nil, nil, nil, decision.Frame{Clock: time.Now, NewID: func() string { return "id" }})
		ana := viewer.Viewer{UserID: viewer.UserID(messaging.Short("ana"))}
		first, second := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := s.GoOnline(t.Context(), ana, nil)
			first <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := s.GoOnline(ctx, ana, nil)
			second <- err
		}()
		cancel()
		synctest.Wait()
		select {
		case err := <-second:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the second request ends with %v", err)
			}
		default:
			t.Error("the second request still waits")
		}
		close(store.release)
		synctest.Wait()
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}
