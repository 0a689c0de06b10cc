package outbox

import (
	"context"
	"time"

	"stoa/internal/kit/after"
)

// Tell notifies those who already listened at the time of a change, once the response of
// ctx has been written. It is for changes without an event: a crash before that loses the
// messages.
func (d *Dispatcher) Tell(ctx context.Context, since time.Time, messages ...Message) {
	d.tell(ctx, since, "", messages)
}

// publish notifies subscribers of an event once the response of origin has been written, and
// those of earlier events with its key have been notified.
func (d *Dispatcher) publish(origin context.Context, record Record, messages []Message) {
	d.tell(origin, record.Since, record.Key, messages, "event", record.ID, "name", record.Name)
}

// tell is Tell for messages about an event, whose ordering key is empty if there is none.
func (d *Dispatcher) tell(origin context.Context, since time.Time, key string, messages []Message, of ...any) {
	var heard []Message
	for _, m := range messages {
		if d.Bus.Heard(m.Subject()) { // later subscribers do not receive it anyway
			heard = append(heard, m)
		}
	}
	if len(heard) == 0 {
		return
	}
	ctx := context.WithoutCancel(origin)
	publish := func() {
		for _, m := range heard {
			if err := Publish(ctx, d.Bus, since, m); err != nil {
				// Subscribers may miss a message: messages are not stored, and clients
				// refetch.
				d.Log.ErrorContext(ctx, "message lost", append(of, "subject", m.Subject(), "error", err)...)
			}
		}
	}
	if key != "" {
		publish = d.order.next(key, publish)
	}
	after.Do(ctx, publish)
}
