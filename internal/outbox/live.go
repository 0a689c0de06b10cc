package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
)

// Message is a notification of current subscribers. It is transmitted as JSON.
type Message interface {
	// Subject is the subject that subscribers listen to.
	Subject() string
}

// Tell notifies subscribers of an event's effects once the response of the mutation that
// caused it has been written. A receiver that is called again after a failure must not
// repeat a notification.
type Tell func(messages ...Message)

// Bus delivers messages to current listeners. It closes the channel of a listener whose
// context is done or who has missed messages. *bus.Local is a Bus within one process.
type Bus interface {
	// Sequence returns the current sequence number.
	Sequence() bus.Sequence
	// Publish sends data about something that happened at the given sequence number to the listeners
	// that were there, as far as that is known.
	Publish(ctx context.Context, subject string, at bus.Sequence, data []byte) error
	Subscribe(ctx context.Context, subject string) (<-chan bus.Message, error)
	// Resume is Subscribe for a listener that has received all messages up to a place, perhaps
	// in another process. It reports whether that is possible.
	Resume(ctx context.Context, subject string, from bus.Place) (bus.Subscription, error)
	// Heard reports whether a subject may have listeners, or may have had some who resume.
	// Usually it has none.
	Heard(subject string) bool
}

// cause is the first cause of a message: who listened before it receives the message.
type cause struct {
	// at is when its commit was reported, or, if that is unknown, when it was recorded,
	// which is before the commit.
	at time.Time
	// sequence number is unknown if another process committed it.
	sequence bus.Sequence
}

// told is a message as sent on the bus.
type told[M any] struct {
	// Since is when the cause of the message happened.
	Since time.Time
	Data  M
}

// Publish sends m to those who listen now.
func Publish(ctx context.Context, b Bus, now time.Time, m Message) error {
	return publish(ctx, b, cause{now, b.Sequence()}, m)
}

func publish(ctx context.Context, b Bus, c cause, m Message) error {
	data, err := json.Marshal(told[Message]{c.at, m})
	if err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return b.Publish(ctx, m.Subject(), c.sequence, data)
}

// Listen returns the messages on a subject about changes from now on, unless the listener is
// refused: refused is what is known against them without reading, and therefore cannot change,
// so nothing is subscribed for them. The channel is closed when ctx is done or messages have
// been missed. Listen drops messages that cannot be decoded.
func Listen[M any](ctx context.Context, b Bus, subject string, now time.Time, refused error) (<-chan *M, error) {
	if refused != nil {
		return nil, refused
	}
	admit := func(context.Context) error { return nil }
	return Follow(ctx, b, subject, now, admit, func(_ context.Context, m *M) (*M, bool, error) { return m, false, nil })
}

// Follow listens like Listen and returns the event that show makes of each message. A nil
// event is skipped, and the channel is closed after the last. It is also closed when show
// refuses, with a *refusal.Error. Other errors are retried for a few seconds; see
// bus.WithFailure for what remains of them. Follow subscribes before it calls admit, so that
// a change in between is not missed. The context of admit and show is done when the channel
// is closed.
//
// If ctx has a bus.Trail, each event has a cursor on it, and the client may have sent one of
// an earlier subscription: this one then starts with the messages since, which are shown as
// they are seen now, or with a gap.
func Follow[M, E any](
	ctx context.Context, b Bus, subject string, now time.Time, admit func(context.Context) error,
	show func(context.Context, *M) (event *E, last bool, err error),
) (<-chan *E, error) {
	return followAll(ctx, b, subject, now, admit, func(ctx context.Context, m *M, send func(*E) bool) (last bool, err error) {
		event, last, err := show(ctx, m)
		if err != nil || event == nil {
			return last, err
		}
		return !send(event) || last, nil
	}, false)
}

// FollowEach is Follow for messages with any number of events, which show sends one by one
// until send returns false. Show must not return an error once it has sent an event.
func FollowEach[M, E any](
	ctx context.Context, b Bus, subject string, now time.Time, admit func(context.Context) error,
	show func(ctx context.Context, m *M, send func(*E) bool) (last bool, err error),
) (<-chan *E, error) {
	return followAll(ctx, b, subject, now, admit, show, true)
}

// followAll is FollowEach. Several reports whether messages may have several events.
func followAll[M, E any](
	ctx context.Context, b Bus, subject string, now time.Time, admit func(context.Context) error,
	show func(ctx context.Context, m *M, send func(*E) bool) (last bool, err error), several bool,
) (<-chan *E, error) {
	ctx, cancel := context.WithCancel(ctx)
	p, messages, err := begin(ctx, b, subject, now, several)
	if err == nil {
		err = admit(ctx)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	events := make(chan *E)
	f := follower[M, E]{show: show, since: p.began.Add(-tolerance)}
	f.send = func(event *E) bool {
		if !p.leave() {
			return true
		}
		select {
		case events <- event:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer cancel()
		defer close(events)
		for m := range messages {
			p.enter(m)
			if last, err := f.hear(ctx, m); err != nil {
				bus.Fail(ctx, err)
				return
			} else if last {
				return
			}
		}
	}()
	return events, nil
}

// tolerance is how much older than a subscription the cause of a message may be if they
// cannot be put in order: clocks of two processes may be five seconds ahead and behind, and a
// change is recorded before it is committed. Clients tolerate an event too many better than
// one too few.
const tolerance = 12 * time.Second

// follower is the reader of a subscription.
type follower[M, E any] struct {
	show  func(ctx context.Context, m *M, send func(*E) bool) (last bool, err error)
	send  func(*E) bool
	since time.Time
}

// Retries of a failed show.
const (
	showAttempts = 6
	showPause    = 100 * time.Millisecond
)

// hear handles a message. An error means that it could not be shown.
func (f *follower[M, E]) hear(ctx context.Context, m bus.Message) (last bool, err error) {
	for attempt := range showAttempts {
		if attempt > 0 && !pause(ctx, showPause<<(attempt-1)) {
			return true, nil
		}
		panicked := together.Safely(func() error {
			last, err = f.once(ctx, m)
			return nil
		})
		var refused *refusal.Error
		switch {
		case panicked != nil:
			return true, panicked
		case ctx.Err() != nil, errors.As(err, &refused) && refused.Kind != refusal.Fault:
			return true, nil
		case err == nil:
			return last, nil
		}
	}
	return true, err
}

func (f *follower[M, E]) once(ctx context.Context, m bus.Message) (last bool, err error) {
	var t told[M]
	if json.Unmarshal(m.Data, &t) != nil || !m.Later && t.Since.Before(f.since) {
		return false, nil
	}
	if m.Memo != nil {
		ctx = context.WithValue(ctx, memoKey{}, m.Memo)
	}
	return f.show(ctx, &t.Data, f.send)
}

type memoKey struct{}

// Shared returns what read returns, which must depend on nothing but the key and the message
// that the show of ctx shows, and must not be modified: listeners in this process to whom it is
// shown at the same time share it. What a listener may see must be read by each of them.
func Shared[T any](ctx context.Context, key string, read func(context.Context) (T, error)) (value T, err error) {
	memo, _ := ctx.Value(memoKey{}).(*bus.Memo)
	shared, err := memo.Do(ctx, key, func(ctx context.Context) (any, error) { return read(ctx) })
	if err == nil {
		value = shared.(T)
	}
	return value, err
}

// pause returns false if ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
