// Package bus carries messages to the current subscribers.
//
// Nothing is kept: a message without subscribers is gone, and a subscriber gets
// only what is published after Subscribe has returned. One that does not keep up is
// closed rather than skipped, so that it learns to look again at what it missed.
package bus

import (
	"context"
	"sync"
)

// depth is how many messages a subscriber may be behind before it is closed.
const depth = 64

type lossKey struct{}

// WithLoss returns a context for subscriptions that calls lost when one of them is closed
// because its reader did not keep up: the same end as that of a subject otherwise.
func WithLoss(ctx context.Context, lost func()) context.Context {
	return context.WithValue(ctx, lossKey{}, lost)
}

// Local is a bus within one process. The zero value is ready; its methods may be
// called from several goroutines.
type Local struct {
	mu       sync.Mutex
	subjects map[string]map[*subscriber]struct{}
}

type subscriber struct {
	messages chan []byte
	lost     func()
}

// Publish hands data to every present subscriber of subject. It never waits. The
// subscribers share data, so nobody may change it afterwards.
func (b *Local) Publish(_ context.Context, subject string, data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subjects[subject] {
		select {
		case s.messages <- data:
		default:
			b.close(subject, s)
			if s.lost != nil {
				go s.lost()
			}
		}
	}
	return nil
}

// Heard reports whether subject has a subscriber.
func (b *Local) Heard(subject string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.subjects[subject]) > 0
}

// Subscribe returns the messages on subject from now on. The channel is closed when
// ctx ends, and when its reader falls too far behind.
func (b *Local) Subscribe(ctx context.Context, subject string) (<-chan []byte, error) {
	s := &subscriber{messages: make(chan []byte, depth)}
	s.lost, _ = ctx.Value(lossKey{}).(func())
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subjects == nil {
		b.subjects = map[string]map[*subscriber]struct{}{}
	}
	if b.subjects[subject] == nil {
		b.subjects[subject] = map[*subscriber]struct{}{}
	}
	b.subjects[subject][s] = struct{}{}
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.close(subject, s)
	})
	return s.messages, nil
}

// close ends a subscription, once. The caller holds mu, as does every sender, so
// nothing is sent on a closed channel.
func (b *Local) close(subject string, s *subscriber) {
	if _, open := b.subjects[subject][s]; !open {
		return
	}
	close(s.messages)
	delete(b.subjects[subject], s)
	if len(b.subjects[subject]) == 0 {
		delete(b.subjects, subject)
	}
}
