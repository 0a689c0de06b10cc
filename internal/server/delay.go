package server

import (
	"sync"
	"time"
)

// postponer runs the effects of mutations with a fixed delay after their responses.
type postponer struct {
	delay time.Duration

	mu      sync.Mutex
	flushed bool
	waiting map[*time.Timer]func()
}

func newPostponer(delay time.Duration) *postponer {
	return &postponer{delay: delay, waiting: map[*time.Timer]func(){}}
}

// release runs effect after the delay, or immediately if there is none.
func (p *postponer) release(effect func()) {
	if p.delay == 0 || !p.postpone(effect) {
		effect()
	}
}

func (p *postponer) postpone(effect func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.flushed {
		return false
	}
	var timer *time.Timer
	timer = time.AfterFunc(p.delay, func() {
		p.mu.Lock()
		_, due := p.waiting[timer]
		delete(p.waiting, timer)
		p.mu.Unlock()
		if due {
			effect()
		}
	})
	p.waiting[timer] = effect
	return true
}

// flush runs all waiting effects, and later ones immediately: a process must not lose
// effects when it ends.
func (p *postponer) flush() {
	p.mu.Lock()
	waiting := p.waiting
	p.waiting = map[*time.Timer]func(){}
	p.flushed = true
	p.mu.Unlock()
	for timer, effect := range waiting {
		timer.Stop()
		effect()
	}
}
