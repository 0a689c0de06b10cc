package nats

import (
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"
)

// interest is a subject that this process hears.
type interest struct {
	subscription *nats.Subscription
	// ready is set once the server has confirmed it.
	ready atomic.Bool
}

// listen calls subscribe and hears its subject from then on.
func listen[S any](b *Bus, subject string, subscribe func() (S, error)) (s S, err error) {
	i, s, err := begin(b, subject, subscribe)
	if err == nil && !i.ready.Load() && b.conn.IsConnected() && b.conn.FlushTimeout(answerTime) == nil {
		i.ready.Store(true) // otherwise the connection is lost, which ends the subscriptions when it is back
	}
	return s, err
}

// begin is listen without a confirmation.
func begin[S any](b *Bus, subject string, subscribe func() (S, error)) (*interest, S, error) {
	b.interest.Lock()
	defer b.interest.Unlock()
	s, err := subscribe()
	if err != nil {
		return nil, s, err
	}
	i := b.interests[subject]
	if i == nil {
		i = &interest{}
		if i.subscription, err = b.conn.ChanSubscribe(b.subjectOf(subject), b.incoming); err != nil {
			return nil, s, err
		}
		b.interests[subject] = i
	}
	return i, s, nil
}

// dropped are the subjects whose messages are kept no longer.
type dropped struct {
	mu       sync.Mutex
	subjects []string
}

func (d *dropped) add(subject string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subjects = append(d.subjects, subject)
}

func (d *dropped) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	subjects := d.subjects
	d.subjects = nil
	return subjects
}

// unlisten stops hearing the subjects that nobody listens to.
func (b *Bus) unlisten() {
	for _, subject := range b.dropped.take() {
		b.interest.Lock()
		i := b.interests[subject]
		if i != nil && !b.local.Heard(subject) {
			delete(b.interests, subject)
			_ = i.subscription.Unsubscribe() // fails only on a closed connection
			b.in.leave(subject)
		}
		b.interest.Unlock()
	}
}
