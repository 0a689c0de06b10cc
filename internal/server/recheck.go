package server

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
	"stoa/internal/kit/viewer"
)

// listener is a long-lived consumer of events, whose credentials were valid at the start.
type listener struct {
	endpoint *endpoint
	// authorization holds the credentials, which the client may renew.
	authorization atomic.Pointer[string]
	// end is called when the credentials are no longer valid, and fail when checking them
	// has panicked. Neither waits.
	end, fail func()
}

// listen calls end when credentials are no longer valid, with a delay of up to
// Limits.Recheck, or fail when they cannot be checked because of a defect, until the listener
// is stopped.
func (e *endpoint) listen(authorization string, end, fail func()) *listener {
	l := &listener{endpoint: e, end: end, fail: fail}
	l.authorization.Store(&authorization)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	return l
}

func (l *listener) stop() {
	l.endpoint.mu.Lock()
	defer l.endpoint.mu.Unlock()
	delete(l.endpoint.listeners, l)
}

// rechecks is the number of credentials that are rechecked at the same time.
const rechecks = 32

// recheck starts to end listeners whose credentials have expired or been revoked, until ctx
// is done.
func (s *Server) recheck(ctx context.Context) {
	intervals := map[time.Duration]bool{}
	for _, system := range s.config.Systems {
		intervals[system.Recheck] = true
	}
	for interval := range intervals {
		go s.recheckEvery(ctx, interval)
	}
}

// RecheckNow starts a check of the credentials of all subscribers, without waiting for it
// to end.
func (s *Server) RecheckNow() {
	go func() {
		s.mu.Lock()
		var all []*listener
		for l := range s.listeners {
			all = append(all, l)
		}
		s.mu.Unlock()
		_ = together.Each(s.draining, len(all), rechecks, func(ctx context.Context, i int) error {
			all[i].recheck(ctx, all[i].endpoint.Recheck)
			return nil
		})
	}()
}

// recheckEvery rechecks the listeners of systems with an interval.
func (s *Server) recheckEvery(ctx context.Context, interval time.Duration) {
	every := time.NewTicker(interval)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		all := s.listenersOf(interval)
		_ = together.Each(ctx, len(all), rechecks, func(ctx context.Context, i int) error {
			all[i].recheck(ctx, interval)
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
		checked := l.authorization.Load()
		if refused := (*refusal.Error)(nil); errors.As(l.refusal(ctx, *checked), &refused) && l.authorization.Load() == checked {
			l.end()
		}
		return nil
	})
	if err != nil {
		l.endpoint.executor.Fault(ctx, "rechecking credentials failed", err)
		l.fail()
	}
}

// refusal returns the error with which a new request with the credentials would fail.
func (l *listener) refusal(ctx context.Context, authorization string) error {
	id, err := l.endpoint.Authenticator.Authenticate(ctx, authorization)
	if err != nil || l.endpoint.Admit == nil {
		return err
	}
	return l.endpoint.Admit(viewer.With(ctx, viewer.Viewer{UserID: id}))
}

// listenersOf returns the listeners of systems that are rechecked at an interval.
func (s *Server) listenersOf(interval time.Duration) (all []*listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.listeners {
		if l.endpoint.Recheck == interval {
			all = append(all, l)
		}
	}
	return all
}
