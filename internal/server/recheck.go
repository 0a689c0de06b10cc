package server

import (
	"context"
	"errors"
	"time"

	"stoa/internal/kit/refusal"
)

// listener is somebody who goes on hearing by credentials that were good once.
type listener struct {
	authenticator Authenticator
	authorization string
	// end is called when the credentials are no longer good.
	end func()
}

// listen calls end when credentials are no longer good, until stop is called. It may be
// late by Limits.Recheck.
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

// recheck ends those whose credentials have expired or were revoked, until ctx ends.
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
