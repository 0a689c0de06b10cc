// Package bus delivers messages to current subscribers.
//
// Messages are not stored: a message without subscribers is lost, and a subscriber receives
// only messages published after Subscribe has returned. A subscriber that has missed
// messages is closed, which tells it to refetch.
package bus

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// depth is the number of messages that a subscriber may fall behind before it is closed.
const depth = 64

// Sequence is a point in the order in which the subscriptions of one process begin. It tells
// which of them were there when something happened, however much later it is published and
// whatever the clock says.
type Sequence uint64

const (
	// Unknown is the sequence number of what another process has published or stored.
	Unknown Sequence = 0
	// Beginning is before all subscriptions.
	Beginning Sequence = 1
)

// Message is a message to a subscriber. Its data are shared by all subscribers, so nobody
// may modify them.
type Message struct {
	Data []byte
	// Later reports whether the cause of the message is known to have happened after the
	// subscription began. If it is not set, the two cannot be put in order.
	Later bool
}

// Reasons for the end of a subscription that has missed messages, for the client's
// developer.
const (
	TooSlow = "events are read too slowly: connect again"
	Missed  = "events have been missed: connect again"
)

type (
	lossKey    struct{}
	failureKey struct{}
)

// WithLoss returns a context for subscriptions that calls lost before one of them is closed
// because it has missed messages, which otherwise cannot be distinguished from the end of a
// subject. It must not wait.
func WithLoss(ctx context.Context, lost func(reason string)) context.Context {
	return context.WithValue(ctx, lossKey{}, lost)
}

// WithFailure returns a context for subscriptions that calls failed before one of them ends
// because its reader has failed.
func WithFailure(ctx context.Context, failed func(error)) context.Context {
	return context.WithValue(ctx, failureKey{}, failed)
}

// Fail reports that the reader of a subscription with this context has failed.
func Fail(ctx context.Context, err error) {
	if failed, ok := ctx.Value(failureKey{}).(func(error)); ok {
		failed(err)
	}
}

// Local is a bus within one process. The zero value is ready for use; its methods may be
// called concurrently.
type Local struct {
	// begun is the number of subscriptions so far.
	begun atomic.Uint64

	mu       sync.Mutex
	subjects map[string]map[*subscriber]struct{}
}

type subscriber struct {
	messages chan Message
	// number is the subscription's place in their order, from 1.
	number Sequence
	lost   func(reason string)
}

// Sequence returns the current sequence number.
func (b *Local) Sequence() Sequence { return Sequence(b.begun.Load()) + 1 }

// Publish sends data about something that happened at a sequence number to the current
// subscribers of subject that were there, or to all if the number is Unknown. It never
// blocks.
func (b *Local) Publish(_ context.Context, subject string, at Sequence, data []byte) error {
	var slow []*subscriber
	b.mu.Lock()
	for s := range b.subjects[subject] {
		if at != Unknown && s.number >= at {
			continue
		}
		select {
		case s.messages <- Message{data, at != Unknown}:
		default:
			slow = append(slow, s)
		}
	}
	b.mu.Unlock()
	if slow != nil {
		b.lose(subject, slow, TooSlow)
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
// done or messages have been missed.
func (b *Local) Subscribe(ctx context.Context, subject string) (<-chan Message, error) {
	s := &subscriber{messages: make(chan Message, depth)}
	s.lost, _ = ctx.Value(lossKey{}).(func(string))
	b.mu.Lock()
	defer b.mu.Unlock()
	s.number = Sequence(b.begun.Add(1))
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

// Lose ends the current subscriptions to a subject, which have missed messages.
func (b *Local) Lose(subject string) {
	b.mu.Lock()
	all := slices.Collect(maps.Keys(b.subjects[subject]))
	b.mu.Unlock()
	b.lose(subject, all, Missed)
}

// LoseAll ends all current subscriptions, which may have missed messages.
func (b *Local) LoseAll() {
	b.mu.Lock()
	subjects := slices.Collect(maps.Keys(b.subjects))
	b.mu.Unlock()
	for _, subject := range subjects {
		b.Lose(subject)
	}
}

// lose closes subscribers once they have been told, because their readers take a closed
// channel for the end of the subject. They are told without a lock.
func (b *Local) lose(subject string, all []*subscriber, reason string) {
	for _, s := range all {
		if s.lost != nil {
			s.lost(reason)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range all {
		b.close(subject, s)
	}
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
