package server

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/refusal"
)

// listener is a long-lived consumer of events, whose credentials were valid at the start.
type listener struct {
	authenticator Authenticator
	authorization string
	// end is called when the credentials are no longer valid.
	end func()
}

// listen calls end when credentials are no longer valid, with a delay of up to
// Limits.Recheck, until stop is called.
func (e *endpoint) listen(authorization string, end func()) (stop func()) {
	l := &listener{e.Authenticator, authorization, end}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listeners[l] = struct{}{}
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.listeners, l)
	}
}

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
		for _, l := range s.allListeners() {
			_, err := l.authenticator.Authenticate(ctx, l.authorization)
			if refused := (*refusal.Error)(nil); errors.As(err, &refused) {
				l.end()
			}
		}
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
