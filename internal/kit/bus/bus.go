// Package bus delivers messages to current subscribers.
//
// Messages are not stored: a message without subscribers is lost, and a subscriber receives
// only messages published after Subscribe has returned. A subscriber that falls behind is
// closed rather than skipped, which tells it to refetch.
package bus

import (
	"context"
	"sync"
)

// depth is the number of messages that a subscriber may fall behind before it is closed.
const depth = 64

type lossKey struct{}

// WithLoss returns a context for subscriptions that calls lost when one of them is closed
// because its reader fell behind, which otherwise cannot be distinguished from the end of a
// subject.
func WithLoss(ctx context.Context, lost func()) context.Context {
	return context.WithValue(ctx, lossKey{}, lost)
}

// Local is a bus within one process. The zero value is ready for use; its methods may be
// called concurrently.
type Local struct {
	mu       sync.Mutex
	subjects map[string]map[*subscriber]struct{}
}

type subscriber struct {
	messages chan []byte
	lost     func()
}

// Publish sends data to all current subscribers of subject. It never blocks. The
// subscribers share data, so nobody may modify it.
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

// Subscribe returns the messages on subject from now on. The channel is closed when ctx is
// done or its reader falls too far behind.
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

// close ends a subscription, once. The caller must hold mu, like all senders, so that
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
