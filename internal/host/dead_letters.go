package host

import (
	"context"
	"sync"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
)

// deadLetters counts the dead letters in the store, which all processes share.
type deadLetters struct {
	list func(context.Context, page.Query) (page.Page[outbox.DeadLetter], error)
	now  func() time.Time

	mu sync.Mutex
	// at is when they were counted last.
	at    time.Time
	count int
}

const (
	// countEvery is how old a count may be: whoever collects metrics more often reads no more.
	countEvery = time.Minute
	// countTime is the timeout of counting.
	countTime = 2 * time.Second
	// mostLetters is where counting ends.
	mostLetters = 1000
)

// value returns the number of dead letters, or the last one known if they cannot be read.
func (d *deadLetters) value() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.now(); d.at.IsZero() || now.Sub(d.at) >= countEvery {
		if n, err := d.read(); err == nil {
			d.at, d.count = now, n
		}
	}
	return float64(d.count)
}

func (d *deadLetters) read() (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	for p, err := range page.Pages(mostLetters/page.Max, page.In(ctx, d.list)) {
		if err != nil {
			return 0, err
		}
		n += len(p.Items)
	}
	return n, nil
}
