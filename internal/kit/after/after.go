// Package after postpones effects until an answer has left the process.
//
// A change notifies its listeners only after its caller has received the answer,
// or a client meets an event about something it does not know yet. Code that
// causes such effects calls Do and need not know whether anyone is waiting:
// without a scope in its context the effect happens at once.
package after

import (
	"context"
	"sync"
)

type scopeKey struct{}

// scope collects effects until it is finished; from then on they run at once.
type scope struct {
	mu       sync.Mutex
	finished bool
	effects  []func()
}

// Scope returns a context whose effects wait for finish. The effects run in the
// order of their Do calls, on the goroutine that calls finish; calling it again
// does nothing. Every scope must be finished, even if answering failed:
// the change has happened all the same.
func Scope(ctx context.Context) (scoped context.Context, finish func()) {
	s := &scope{}
	return context.WithValue(ctx, scopeKey{}, s), s.finish
}

// Do runs effect once the scope of ctx is finished, or at once when ctx has none
// or its scope is finished already. The effect must not rely on ctx: by then it
// may be cancelled.
func Do(ctx context.Context, effect func()) {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok && s.hold(effect) {
		return
	}
	effect()
}

func (s *scope) hold(effect func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finished {
		return false
	}
	s.effects = append(s.effects, effect)
	return true
}

// finish keeps draining until no effect is left, so that an effect which arrives
// meanwhile runs behind those before it.
func (s *scope) finish() {
	for {
		s.mu.Lock()
		effects := s.effects
		s.effects = nil
		s.finished = len(effects) == 0
		s.mu.Unlock()
		if len(effects) == 0 {
			return
		}
		for _, effect := range effects {
			effect()
		}
	}
}
