package card

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"stoa/internal/decision"
	"stoa/internal/kit/page"
	"stoa/internal/kit/refusal"
	"stoa/internal/kit/together"
	"stoa/internal/outbox"
	"stoa/social"
)

// pushesAtOnce is the maximum number of concurrent pushes.
const pushesAtOnce = 16

// PushDue pushes the cards that are due, the longest due first. Each card gets a single
// attempt and is marked before it, so that no card is pushed twice. PushDue returns after
// all attempts have ended, with an error if any failed.
func (s *Service) PushDue(ctx context.Context, now time.Time) error {
	var pushes pushes
	for c, err := range page.All(page.In(ctx, s.Store.Due)) {
		if err != nil {
			return errors.Join(err, pushes.wait())
		}
		if c.NotifyUserAt.After(now) {
			break
		}
		card, err := s.notified(ctx, c)
		if err != nil {
			return errors.Join(err, pushes.wait())
		}
		if card != nil && s.Pusher != nil {
			pushes.start(func() error { return s.push(ctx, card) })
		}
	}
	return pushes.wait()
}

// notified marks a card as pushed. It returns nil if the card is no longer due, as indexes
// may lag behind.
func (s *Service) notified(ctx context.Context, due *social.Card) (*social.Card, error) {
	card, err := decision.Run(ctx, s.Frame, func(a *decision.Attempt) (*social.Card, error) {
		c, err := s.Store.Card(ctx, due.CardID)
		if err != nil || c == nil || !c.NotifyUserAt.Equal(due.NotifyUserAt) {
			return nil, err
		}
		return c, s.Store.Notified(ctx, *c, a.Emit(social.CardNotified{Card: *c})...)
	})
	if refusal.KindOf(err) == refusal.Conflict { // pushed in the next run
		return nil, nil
	}
	return card, err
}

func (s *Service) push(ctx context.Context, c *social.Card) error {
	u, err := s.Users.Profile(ctx, c.UserID)
	if u == nil || err != nil {
		return err
	}
	return s.Pusher.Push(ctx, u, c)
}

// CardNotified notifies the user on all their devices, as a push changes the card.
func (s *Service) CardNotified(_ context.Context, e social.CardNotified, tell outbox.Tell) error {
	tell(social.NewCardNotification(social.CardEdited, e.Card))
	return nil
}

// pushes is a set of running attempts. The zero value is empty.
type pushes struct {
	running sync.WaitGroup
	room    chan struct{}

	mu     sync.Mutex
	made   int
	failed int
	first  error
}

// start runs an attempt, after waiting while too many are running.
func (p *pushes) start(attempt func() error) {
	if p.room == nil {
		p.room = make(chan struct{}, pushesAtOnce)
	}
	p.made++
	p.room <- struct{}{}
	p.running.Go(func() {
		defer func() { <-p.room }()
		if err := together.Safely(attempt); err != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.failed++; p.failed == 1 {
				p.first = err
			}
		}
	})
}

// wait waits for all attempts. If any failed, it returns the first error.
func (p *pushes) wait() error {
	p.running.Wait()
	if p.failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d pushes failed, the first: %w", p.failed, p.made, p.first)
}
