package outbox

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"stoa/social"
)

// Bounds of the time between two attempts to deliver an event. It doubles with each.
const (
	firstPause = time.Second
	mostPause  = 5 * time.Minute
)

// delivery is how far the delivery of one event has come in this process.
type delivery struct {
	// left are the receivers that have not succeeded yet.
	left []Receiver
	told []social.Notification
	// ended: all is received and announced, only the removal is missing.
	ended    bool
	attempts int
	notUntil time.Time
}

// due reports whether the delivery may be tried; nil is one that was never begun.
func (d *delivery) due(now time.Time) bool { return d == nil || !now.Before(d.notUntil) }

// deliver makes one attempt to deliver e.
func (s *shard) deliver(ctx context.Context, e social.Event) error {
	receivers := s.receivers[e.Kind]
	d := s.begun[e.ID]
	if d == nil {
		d = &delivery{left: receivers}
		s.begun[e.ID] = d
	}
	if d.ended {
		return nil
	}
	if len(receivers) == 0 {
		return s.postpone(ctx, d, e, fmt.Errorf("nobody receives events of kind %s", e.Kind))
	}
	if err := d.receive(ctx, e); err != nil {
		return s.postpone(ctx, d, e, err)
	}
	for _, n := range d.told {
		if err := s.Announce(ctx, n); err != nil {
			// Nobody can listen to what was announced in part and is announced again.
			s.Log.ErrorContext(ctx, "notification lost", "event", e.ID, "type", n.Type, "error", err)
		}
	}
	d.ended = true
	s.Measures.Delivered(e.Kind, s.Now().Sub(e.At))
	return nil
}

// receive calls the receivers that are left. One that fails does not keep the others
// from theirs.
func (d *delivery) receive(ctx context.Context, e social.Event) error {
	var errs []error
	var left []Receiver
	for _, r := range d.left {
		told, err := call(ctx, r, e)
		d.told = append(d.told, told...)
		if err != nil {
			errs = append(errs, err)
			left = append(left, r)
		}
	}
	d.left = left
	return errors.Join(errs...)
}

// call turns a receiver's panic into a failure: the event would be delivered again
// after a restart, and end that process too.
func call(ctx context.Context, r Receiver, e social.Event) (told []social.Notification, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("receiver panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return r(ctx, e)
}

// postpone notes a failed attempt. One that ends with the process is none.
func (s *shard) postpone(ctx context.Context, d *delivery, e social.Event, err error) error {
	if ctx.Err() != nil {
		return err
	}
	pause := min(firstPause<<min(d.attempts, 16), mostPause)
	d.attempts++
	d.notUntil = s.Now().Add(pause)
	s.Measures.Failed(e.Kind)
	s.Log.ErrorContext(ctx, "event not delivered", "event", e.ID, "kind", e.Kind, "user", e.UserID,
		"attempts", d.attempts, "again", d.notUntil, "error", err)
	return err
}
