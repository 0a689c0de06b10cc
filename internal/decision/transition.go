package decision

import (
	"context"

	"stoa/internal/outbox"
)

// New is to be replaced by Attempt.Emit.
func (f Frame) New(ctx context.Context, events ...outbox.Event) []outbox.Record {
	a := Attempt{ctx: ctx, frame: f}
	return a.Emit(events...)
}

// Committed is to be replaced by Run.
func (f Frame) Committed(ctx context.Context, records ...outbox.Record) {
	if len(records) > 0 {
		f.Events.Committed(ctx, records...)
	}
}
