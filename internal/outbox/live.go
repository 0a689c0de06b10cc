package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"stoa/internal/kit/after"
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
// context is done or who falls behind.
type Bus interface {
	Publish(ctx context.Context, subject string, data []byte) error
	Subscribe(ctx context.Context, subject string) (<-chan []byte, error)
	// Heard reports whether a subject may have listeners. Usually it has none.
	Heard(subject string) bool
}

// told is a message as sent on the bus.
type told[M any] struct {
	// Since is when the cause of the message happened.
	Since time.Time
	Data  M
}

// Publish sends m to those who already listened at the time since.
func Publish(ctx context.Context, b Bus, since time.Time, m Message) error {
	data, err := json.Marshal(told[Message]{since, m})
	if err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return b.Publish(ctx, m.Subject(), data)
}

// Listen returns the messages on a subject about changes from now on. It drops late
// messages with an earlier cause, and those that cannot be decoded. The channel is closed
// when ctx is done or its reader falls behind.
func Listen[M any](ctx context.Context, b Bus, subject string, now time.Time) (<-chan *M, error) {
	admit := func(context.Context) error { return nil }
	return Follow(ctx, b, subject, now, admit, func(_ context.Context, m *M) (*M, bool) { return m, false })
}

// Follow listens like Listen and returns the event that show makes of each message. A nil
// event is skipped, and the channel is closed after the last. Follow subscribes before it
// calls admit, so that a change in between is not missed. The context of admit and show is
// done when the channel is closed.
func Follow[M, E any](ctx context.Context, b Bus, subject string, now time.Time, admit func(context.Context) error, show func(context.Context, *M) (event *E, last bool)) (<-chan *E, error) {
	now = now.UTC().Truncate(time.Microsecond)
	ctx, cancel := context.WithCancel(ctx)
	data, err := b.Subscribe(ctx, subject)
	if err == nil {
		err = admit(ctx)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	events := make(chan *E)
	go func() {
		defer cancel()
		defer close(events)
		for data := range data {
			var t told[M]
			if json.Unmarshal(data, &t) != nil || t.Since.Before(now) {
				continue
			}
			event, last := show(ctx, &t.Data)
			if event != nil {
				select {
				case events <- event:
				case <-ctx.Done():
					return
				}
			}
			if last {
				return
			}
		}
	}()
	return events, nil
}

// PublishAfter is Publish for messages about changes that are not stored, once the response
// of ctx has been written. Clients that miss a message see the change when they refetch.
func PublishAfter(ctx context.Context, b Bus, since time.Time, m Message) {
	after.Do(ctx, func() { _ = Publish(context.WithoutCancel(ctx), b, since, m) })
}
