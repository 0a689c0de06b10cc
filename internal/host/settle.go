package host

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/internal/outbox"
)

const (
	// settleTime is how long a check waits for events that may correct what it has seen.
	settleTime = 30 * time.Second
	// settlePoll is the interval at which it looks whether they have been delivered.
	settlePoll = 250 * time.Millisecond
)

// Settle waits until the events caused before a time have been delivered, and their fan-outs
// have ended. It gives up after half a minute: an event that fails stays for an hour.
func Settle(ctx context.Context, o *ops.Outbox, before time.Time) error {
	settling, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for {
		waits, err := waitsSince(ctx, o, before)
		if err != nil || !waits {
			return err
		}
		if !sleep(settling, settlePoll) {
			return ctx.Err()
		}
	}
}

// waitsSince reports whether an event or a fan-out waits that was caused before a time. It
// reads the oldest of each shard: what an event causes is behind it.
func waitsSince(ctx context.Context, o *ops.Outbox, before time.Time) (bool, error) {
	q := page.Query{First: page.Max}
	for shard := range outbox.Shards {
		events, err := o.Pending(ctx, shard, q)
		if err != nil {
			return false, err
		}
		for _, r := range events.Items {
			if r.Since.Before(before) {
				return true, nil
			}
		}
		lanes, err := o.Lanes(ctx, shard, q)
		if err != nil {
			return false, err
		}
		for _, l := range lanes.Items {
			if l.Since.Before(before) {
				return true, nil
			}
		}
	}
	return false, nil
}
