package server

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
)

// listener is a long-lived consumer of events, whose credentials were valid at the start.
type listener struct {
	endpoint      *endpoint
	authorization string
	// end is called when the credentials are no longer valid, and fail when checking them
	// has panicked. Neither waits.
	end, fail func()
}

// listen calls end when credentials are no longer valid, with a delay of up to
// Limits.Recheck, or fail when they cannot be checked because of a defect, until stop is
// called.
func (e *endpoint) listen(authorization string, end, fail func()) (stop func()) {
	l := &listener{e, authorization, end, fail}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.listeners, l)
	}
}

// rechecks is the number of credentials that are rechecked at the same time.
const rechecks = 32

// recheck ends listeners whose credentials have expired or been revoked, until ctx is done.
func (s *Server) recheck(ctx context.Context) {
	every := time.NewTicker(s.config.Limits.Recheck)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		all := s.allListeners()
		_ = together.Each(ctx, len(all), rechecks, func(ctx context.Context, i int) error {
			all[i].recheck(ctx, s.config.Limits.Recheck)
			return nil
		})
	}
}

// recheck ends the listener if its credentials are no longer valid. Those that cannot be
// checked in time are good until the next time.
func (l *listener) recheck(ctx context.Context, within time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := together.Safely(func() error {
		_, err := l.endpoint.Authenticator.Authenticate(ctx, l.authorization)
		if refused := (*refusal.Error)(nil); errors.As(err, &refused) {
			l.end()
		}
		return nil
	})
	if err != nil {
		l.endpoint.executor.Fault(ctx, "rechecking credentials failed", err)
		l.fail()
	}
}

func (s *Server) allListeners() (all []*listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners {
		all = append(all, l)
	}
	return all
}
