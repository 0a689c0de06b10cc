package outbox

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"stoa/internal/kit/after"
)

// Message is something to tell present subscribers. It travels as JSON.
type Message interface {
	// Subject is what its subscribers listen to.
	Subject() string
}

// Tell tells subscribers what an event changed for them, once the answer of the
// mutation that caused it has been written. A receiver that fails and is called again
// must not tell the same again.
type Tell func(messages ...Message)

// Bus carries messages to present listeners. It closes the channel of a listener whose
// context ends or who does not keep up.
type Bus interface {
	Publish(ctx context.Context, subject string, data []byte) error
	Subscribe(ctx context.Context, subject string) (<-chan []byte, error)
	// Heard reports whether anybody may be listening to subject. Most of the time nobody is.
	Heard(subject string) bool
}

// told is a message on the bus.
type told struct {
	// Since is when whatever caused the message happened.
	Since time.Time
	Data  json.RawMessage
}

// Publish tells those who listened already at a time.
func Publish(ctx context.Context, b Bus, since time.Time, m Message) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("message: %w", err)
	}
	data, err = json.Marshal(told{Since: since, Data: data})
	if err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return b.Publish(ctx, m.Subject(), data)
}

// Listen returns the messages on a subject about what happens from now on; those that
// were caused earlier and come late are left out, and so is what cannot be read. The channel is closed when ctx ends,
// and when its reader does not keep up.
func Listen[M any](ctx context.Context, b Bus, subject string, now time.Time) (<-chan *M, error) {
	now = now.UTC().Truncate(time.Microsecond)
	ctx, cancel := context.WithCancel(ctx)
	data, err := b.Subscribe(ctx, subject)
	if err != nil {
		cancel()
		return nil, err
	}
	messages := make(chan *M)
	go func() {
		defer cancel()
		defer close(messages)
		for data := range data {
			var t told
			m := new(M)
			if json.Unmarshal(data, &t) != nil || json.Unmarshal(t.Data, m) != nil || t.Since.Before(now) {
				continue
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages, nil
}

// PublishAfter is Publish of what nothing is stored of, once the answer that ctx belongs to
// is written. Who misses it sees it when they look again.
func PublishAfter(ctx context.Context, b Bus, since time.Time, m Message) {
	after.Do(ctx, func() { _ = Publish(context.WithoutCancel(ctx), b, since, m) })
}
