// Package after postpones effects until a response has been sent.
//
// Listeners of a change must be notified only after its caller has received the response,
// since clients would otherwise receive events about objects they do not know yet. Code
// with such effects calls Do and need not know whether anybody is waiting: without a scope
// in its context, the effect happens at once.
package after

import (
	"context"
	"sync"
)

type scopeKey struct{}

// scope collects effects until it is finished; later ones run at once.
type scope struct {
	mu       sync.Mutex
	finished bool
	effects  []func()
}

// Scope returns a context whose effects wait for finish. They run in the order of the calls
// of Do, on the goroutine that calls finish; calling it again does nothing. Every scope
// must be finished, even if sending the response has failed, because the change has
// happened.
func Scope(ctx context.Context) (scoped context.Context, finish func()) {
	s := &scope{}
	return context.WithValue(ctx, scopeKey{}, s), s.finish
}

// Do runs effect once the scope of ctx is finished, or at once if ctx has no scope or it is
// finished. The effect must not use ctx, which may be cancelled by then.
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

// finish continues until no effects are left, so that those added meanwhile run after
// earlier ones.
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
