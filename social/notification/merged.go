package notification

import (
	"context"

	"stoa/internal/kit/bus"
	"stoa/social"
)

// merged is a subscription that sends what is told to a user and what is told to all followers
// of large accounts. Its cursors are places among the former.
type merged struct {
	// trail is that of the subscription, and ownTrail that of own.
	trail, ownTrail *bus.Trail
	own, large      <-chan *social.Notification
	// missed is sent first; nil for nothing.
	missed *social.Notification
	out    chan *social.Notification
	cancel func()
	// cursor is the one after the latest notification of own that was sent.
	cursor string
}

// follow returns the context in which own follows its messages.
func (m *merged) follow(ctx context.Context) context.Context {
	if m.trail == nil {
		return ctx
	}
	var since *string
	if cursor, asked := m.trail.Since(); asked {
		since = &cursor
	}
	ctx, m.ownTrail = bus.WithTrail(ctx, since)
	return ctx
}

// resumed reports whether the subscription goes on where an earlier one ended.
func (m *merged) resumed() bool {
	if m.trail == nil {
		return false
	}
	since, asked := m.trail.Since()
	if !asked {
		return false
	}
	start, gap := m.ownTrail.Gap()
	m.trail.Start(start, !gap)
	if m.cursor = start; start == "" {
		m.cursor = since
	}
	return !gap
}

// run sends until ctx is done or one of the two ends.
func (m *merged) run(ctx context.Context) {
	defer close(m.out)
	defer m.cancel()
	if m.missed != nil && !m.send(ctx, m.missed) {
		return
	}
	for {
		var n *social.Notification
		var open bool
		select {
		case n, open = <-m.own:
			if open && m.ownTrail != nil {
				m.cursor = m.ownTrail.Take()
			}
		case n, open = <-m.large:
		}
		if !open || !m.send(ctx, n) {
			return
		}
	}
}

func (m *merged) send(ctx context.Context, n *social.Notification) bool {
	if m.trail != nil {
		m.trail.Leave(m.cursor)
	}
	select {
	case m.out <- n:
		return true
	case <-ctx.Done():
		return false
	}
}
