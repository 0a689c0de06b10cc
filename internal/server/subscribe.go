package server

import (
	"context"
	"fmt"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// subscribe starts a subscription of the viewer in ctx, who may have up to
// UserSubscriptions on all connections. Lost is called with the reason before the
// subscription ends because it has missed events. An error means that it has not started; otherwise leave must be
// called when it is over.
func (e *endpoint) subscribe(ctx context.Context, op *operation.Operation, lost func(reason string)) (_ *operation.Stream, leave func(), _ gqlerror.List) {
	stream, errs := op.Subscribe(bus.WithLoss(ctx, lost))
	if errs != nil {
		return nil, nil, errs
	}
	user := viewer.From(ctx).UserID
	if !e.enter(user) {
		stream.Close()
		return nil, nil, gqlerror.List{tooManySubscriptions(e.config.Limits.UserSubscriptions)}
	}
	return stream, func() { stream.Close(); e.leave(user) }, nil
}

func (s *Server) enter(user viewer.UserID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subscriptions[user] >= s.config.Limits.UserSubscriptions {
		return false
	}
	s.subscriptions[user]++
	return true
}

func (s *Server) leave(user viewer.UserID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subscriptions[user]--; s.subscriptions[user] == 0 {
		delete(s.subscriptions, user)
	}
}

func tooManySubscriptions(limit int) *gqlerror.Error {
	return wire.NewError("MaxSubscriptionsReachedError", "TOO_MANY_OPERATIONS", fmt.Sprintf("Max number of %d subscriptions reached", limit))
}

// isForbidden reports whether a subscription has not started because the caller may not have
// its events.
func isForbidden(errs gqlerror.List) bool {
	return len(errs) > 0 && errs[0].Extensions[wire.Code] == refusal.Forbidden.String()
}

func (k *socket) mayStart(caller string) bool {
	return k.server.limiter.Wait(caller, k.server.tuned.Load().rate) == 0
}

// slowDown waits for a place in the rate limit of forbidden starts, before the next message is
// read or the response ends. Such starts are not refused for their number, because SDKs repeat them and expect
// the same error each time.
func (s *Server) slowDown(ctx context.Context, caller string) {
	ctx, cancel := context.WithTimeout(ctx, maxSlowDown)
	defer cancel()
	for {
		wait := s.limiter.Take("forbidden "+caller, s.tuned.Load().rate)
		if wait == 0 {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

const maxSlowDown = 100 * time.Millisecond
