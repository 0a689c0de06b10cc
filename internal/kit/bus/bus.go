// Package bus delivers messages to current subscribers.
//
// A subscriber receives only messages published after Subscribe has returned. One that has
// missed messages is closed, which tells it to come back. A subscriber that comes back within
// a few minutes may resume: the messages of subjects that had subscribers are kept in memory
// for that long. Whether any are missing in between is known, because nothing else is stored.
package bus

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"
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

// Place is the place of a subscriber in the messages of its subject, where another
// subscription may resume.
type Place struct {
	// Process is the ID of the Local that has numbered the messages.
	Process string
	// Number is that of the last message before the place, which may be on any subject.
	Number uint64
	// Began is the sequence number of the subscription, or Unknown if it began in another
	// process.
	Began Sequence
}

// Message is a message to a subscriber. Its data are shared by all subscribers, so nobody
// may modify them.
type Message struct {
	Data []byte
	// Later reports whether the cause of the message is known to have happened after the
	// subscription began. If it is not set, the two cannot be put in order.
	Later bool
	// Place is the subscriber's place after the message.
	Place Place
	// Memo is shared by the subscribers that receive the message when it is published; nil
	// for others.
	Memo *Memo
}

// Subscription is a subscription that was to resume an earlier one.
type Subscription struct {
	// Messages are those after Place. The channel is closed like that of Subscribe.
	Messages <-chan Message
	Place    Place
	// Continuous is set if Place is the one asked for. Otherwise messages may be missing.
	Continuous bool
}

// Reasons for the end of a subscription that has missed messages, for the client's
// developer.
const (
	TooSlow = "events are read too slowly: connect again"
	Missed  = "events have been missed: connect again"
)

// Local is a bus within one process. The zero value is ready for use; its methods may be
// called concurrently.
type Local struct {
	// Now is the clock by which messages are kept; time.Now if nil.
	Now func() time.Time
	// Dropped, if set, is called with a subject whose messages are kept no longer. It must
	// neither wait nor call the bus.
	Dropped func(subject string)

	// begun is the number of subscriptions so far.
	begun atomic.Uint64

	mu       sync.Mutex
	id       string
	subjects map[string]*subject
	kept     kept
}

// subject is a subject that has subscribers, or had some lately.
type subject struct {
	subscribers map[*subscriber]struct{}
	// log is replaced when messages have been missed.
	log *log
	// unheard is when the last subscriber left, if there are none.
	unheard time.Time
}

type subscriber struct {
	messages chan Message
	// number is the subscription's place in the order of those that began in this process,
	// from 1; Unknown if it began in another.
	number Sequence
	lost   func(reason string)
	closed bool
}

// wants reports whether a subscriber receives a message about something that happened at a
// sequence number, and whether it is known to have happened after the subscription began.
func (s *subscriber) wants(at Sequence) (wanted, later bool) {
	if at == Unknown || s.number == Unknown {
		return true, false
	}
	return s.number < at, true
}

// ID identifies this process in places.
func (b *Local) ID() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.process()
}

// process is ID for callers that hold mu.
func (b *Local) process() string {
	const enough = 13 // 65 random bits
	if b.id == "" {
		b.id = rand.Text()[:enough]
	}
	return b.id
}

func (b *Local) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// Sequence returns the current sequence number.
func (b *Local) Sequence() Sequence { return Sequence(b.begun.Load()) + 1 }

// Publish sends data about something that happened at a sequence number to the current
// subscribers of subject that were there, or to all if the number is Unknown. It never
// blocks.
func (b *Local) Publish(_ context.Context, name string, at Sequence, data []byte) error {
	b.Deliver(name, at, data)
	return nil
}

// Deliver is Publish, and reports whether the subject is heard; see Heard.
func (b *Local) Deliver(name string, at Sequence, data []byte) (heard bool) {
	b.mu.Lock()
	gone := b.prune()
	var slow []*subscriber
	of := b.subjects[name]
	if of != nil {
		e := b.kept.add(of.log, b.now(), at, data)
		memo := &Memo{}
		if len(of.subscribers) == 1 {
			memo = nil
		}
		for s := range of.subscribers {
			if !b.offer(s, e, memo) {
				delete(of.subscribers, s) // it must not receive what follows
				slow = append(slow, s)
			}
		}
		if len(of.subscribers) == 0 && slow != nil {
			b.leave(name, of)
		}
	}
	b.mu.Unlock()
	b.tellDropped(gone)
	b.end(slow, TooSlow)
	return of != nil
}

// offer returns false if a subscriber has fallen too far behind.
func (b *Local) offer(s *subscriber, e *entry, memo *Memo) bool {
	wanted, later := s.wants(e.at)
	if !wanted {
		return true
	}
	select {
	case s.messages <- Message{e.data, later, b.place(s, e.number), memo}:
		return true
	default:
		return false
	}
}

func (b *Local) place(s *subscriber, number uint64) Place {
	return Place{b.process(), number, s.number}
}

// Heard reports whether subject has a subscriber, or had one lately who may resume.
func (b *Local) Heard(name string) bool {
	b.mu.Lock()
	gone := b.prune()
	heard := b.subjects[name] != nil
	b.mu.Unlock()
	b.tellDropped(gone)
	return heard
}

// Subscribe returns the messages on subject from now on. The channel is closed when ctx is
// done or messages have been missed.
func (b *Local) Subscribe(ctx context.Context, name string) (<-chan Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.subscribe(ctx, name)
	s.messages = make(chan Message, depth)
	return s.messages, nil
}

// subscribe adds a subscriber whose messages the caller makes.
func (b *Local) subscribe(ctx context.Context, name string) *subscriber {
	s := &subscriber{number: Sequence(b.begun.Add(1))}
	s.lost, _ = ctx.Value(lossKey{}).(func(string))
	of := b.subjects[name]
	if of == nil {
		of = &subject{subscribers: map[*subscriber]struct{}{}, log: &log{from: b.kept.number}}
		if b.subjects == nil {
			b.subjects = map[string]*subject{}
		}
		b.subjects[name] = of
	}
	of.subscribers[s] = struct{}{}
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if _, there := of.subscribers[s]; there {
			delete(of.subscribers, s)
			b.leave(name, of)
			s.close()
		}
	})
	return s
}

// close ends a subscription that nothing is sent to any more, once. The caller holds mu.
func (s *subscriber) close() {
	if !s.closed {
		s.closed = true
		close(s.messages)
	}
}

// Lose ends the current subscriptions to a subject, which have missed messages. They cannot
// be resumed without a gap.
func (b *Local) Lose(name string) {
	b.mu.Lock()
	all := b.lose(name)
	b.mu.Unlock()
	b.end(all, Missed)
}

// LoseAll ends all current subscriptions, which may have missed messages. None can be resumed
// without a gap.
func (b *Local) LoseAll() {
	var all []*subscriber
	b.mu.Lock()
	for name := range b.subjects {
		all = append(all, b.lose(name)...)
	}
	b.mu.Unlock()
	b.end(all, Missed)
}

// lose detaches the subscribers of a subject, whom nothing reaches that follows the gap.
func (b *Local) lose(name string) (all []*subscriber) {
	of := b.subjects[name]
	if of == nil {
		return nil
	}
	for s := range of.subscribers {
		all = append(all, s)
	}
	if len(all) > 0 {
		clear(of.subscribers)
		b.leave(name, of)
	}
	b.kept.number++ // places before the gap are older than the log
	of.log = &log{from: b.kept.number}
	return all
}

// end closes detached subscribers once they have been told, because their readers take a
// closed channel for the end of the subject. The caller holds no lock.
func (b *Local) end(all []*subscriber, reason string) {
	if len(all) == 0 {
		return
	}
	for _, s := range all {
		if s.lost != nil {
			s.lost(reason)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range all {
		s.close()
	}
}
