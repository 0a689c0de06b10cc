package outbox

import (
	"context"

	"stoa/internal/kit/after"
	"stoa/internal/kit/trace"
)

// Tell notifies those who listen now, once the response of ctx has been written. A receiver
// notifies those who listened when its event was committed. It is for changes without an
// event, which have been committed: a crash before the response loses the messages.
func (d *Dispatcher) Tell(ctx context.Context, messages ...Message) {
	d.tell(ctx, d.cause(ctx), nil, messages)
}

// publish notifies subscribers of an event once the response of origin has been written, and
// those of earlier events with any of its keys have been notified.
func (d *Dispatcher) publish(origin context.Context, record Record, c cause, messages []Message) {
	d.tell(origin, c, record.keys(), messages, "event", record.ID, "name", record.Name)
}

// tell is Tell for messages about an event with ordering keys, if there is one.
func (d *Dispatcher) tell(origin context.Context, c cause, keys []string, messages []Message, of ...any) {
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
		ctx, span := trace.Start(ctx, trace.Internal, "publish", "")
		defer span.End()
		span.SetInt("messaging.batch.message_count", len(heard))
		for _, m := range heard {
			if err := publish(ctx, d.Bus, c, m); err != nil {
				// Subscribers may miss a message: messages are not stored, and clients
				// refetch.
				d.Log.ErrorContext(ctx, "message lost", append(of, "subject", m.Subject(), "error", err)...)
			}
		}
	}
	if len(keys) > 0 {
		publish = d.order.next(keys, publish)
	}
	after.Do(ctx, publish)
}
