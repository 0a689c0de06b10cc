package outbox

import (
	"context"

	"stoa/internal/kit/bus"
)

// Join subscribes with own and with other, and returns the events of both. It ends when one of
// them does. Cursors are places among the events of own; when a client resumes there, missed
// returns what stands for the events of other since then, nil for nothing.
func Join[E any](ctx context.Context, own, other func(context.Context) (<-chan *E, error), missed func(context.Context) (*E, error)) (<-chan *E, error) {
	j := &joined[E]{trail: bus.TrailOf(ctx), out: make(chan *E)}
	ctx, j.cancel = context.WithCancel(ctx)
	var err error
	if j.own, err = own(j.follow(ctx)); err == nil {
		j.other, err = other(bus.WithoutTrail(ctx))
	}
	if err == nil && j.resumed() {
		j.missed, err = missed(ctx)
	}
	if err != nil {
		j.cancel()
		return nil, err
	}
	go j.run(ctx)
	return j.out, nil
}

// joined is a subscription that sends the events of two. Its cursors are places in the first.
type joined[E any] struct {
	// trail is that of the subscription, and ownTrail that of own.
	trail, ownTrail *bus.Trail
	own, other      <-chan *E
	// missed is sent first; nil for nothing.
	missed *E
	out    chan *E
	cancel func()
	// cursor is the one after the latest event of own that was sent.
	cursor string
}

// follow returns the context in which own follows its messages.
func (j *joined[E]) follow(ctx context.Context) context.Context {
	if j.trail == nil {
		return ctx
	}
	var since *string
	if cursor, asked := j.trail.Since(); asked {
		since = &cursor
	}
	ctx, j.ownTrail = bus.WithTrail(ctx, since)
	return ctx
}

// resumed reports whether the subscription goes on where an earlier one ended.
func (j *joined[E]) resumed() bool {
	if j.trail == nil {
		return false
	}
	since, asked := j.trail.Since()
	if !asked {
		return false
	}
	start, gap := j.ownTrail.Gap()
	j.trail.Start(start, !gap)
	if j.cursor = start; start == "" {
		j.cursor = since
	}
	return !gap
}

// run sends until ctx is done or one of the two ends.
func (j *joined[E]) run(ctx context.Context) {
	defer close(j.out)
	defer j.cancel()
	if j.missed != nil && !j.send(ctx, j.missed) {
		return
	}
	for {
		var n *E
		var open bool
		select {
		case n, open = <-j.own:
			if open && j.ownTrail != nil {
				j.cursor = j.ownTrail.Take()
			}
		case n, open = <-j.other:
		}
		if !open || !j.send(ctx, n) {
			return
		}
	}
}

func (j *joined[E]) send(ctx context.Context, n *E) bool {
	if j.trail != nil {
		j.trail.Leave(j.cursor)
	}
	select {
	case j.out <- n:
		return true
	case <-ctx.Done():
		return false
	}
}
