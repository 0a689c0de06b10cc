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
	if err != nil || i.ready.Load() || !b.conn.IsConnected() {
		return s, err // a lost connection ends the subscriptions when it is back
	}
	if b.conn.FlushTimeout(answerTime) == nil {
		i.ready.Store(true)
	} else {
		b.late.add(subject)
	}
	return s, nil
}

// confirm ends the subscriptions that the server had not confirmed in time once it has, because it
// has not sent what was published until then.
func (b *Bus) confirm() {
	late := b.late.take()
	if b.out.confirm(b) != nil {
		b.late.add(late...)
		return
	}
	for _, subject := range late {
		b.log.Warn("NATS has confirmed a subscription late, the subscriptions to its subject end", "subject", subject)
		b.local.Lose(subject)
	}
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

// subjects are subjects with which something is to be done.
type subjects struct {
	mu  sync.Mutex
	all []string
}

func (s *subjects) add(more ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, more...)
}

func (s *subjects) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all
	s.all = nil
	return all
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
