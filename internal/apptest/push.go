package apptest

import (
	"context"
	"sync"

	"stoa/internal/push"
)

// Pushes records the push notifications of a world. It is a push.Sender.
type Pushes struct {
	mu   sync.Mutex
	sent []Pushed
	// fails holds the errors of attempts, by device token.
	fails map[string]error
}

// Pushed is an attempt to reach a device.
type Pushed struct {
	To      push.Device
	Message push.Message
}

// Send records an attempt.
func (p *Pushes) Send(_ context.Context, to push.Device, m push.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, Pushed{to, m})
	return p.fails[to.Token]
}

// Fail makes attempts to reach a device fail with an error.
func (p *Pushes) Fail(token string, with error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails == nil {
		p.fails = map[string]error{}
	}
	p.fails[token] = with
}

// Take returns the attempts since the last call.
func (p *Pushes) Take() []Pushed {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}
