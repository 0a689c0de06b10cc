package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/identity"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/tasks"
	"stoa/internal/operator"
	"stoa/internal/outbox"
)

// MailRequested asks for a message to be sent. It is stored with what the message is about.
type MailRequested struct{ Message identity.Message }

// mailRequested is its name.
const mailRequested = "identity.mailRequested"

// EventName implements outbox.Event.
func (MailRequested) EventName() string { return mailRequested }

// OrderingKey implements outbox.Event.
func (e MailRequested) OrderingKey() string { return string(e.Message.UserID) }

// Slow implements outbox.Slow.
func (MailRequested) Slow() {}

// mailPatience is how long a message is attempted (operator 5#6).
const mailPatience = 24 * time.Hour

// post sends messages through the outbox. It implements identity.Post.
type post struct {
	host   *Host
	mailer identity.Mailer
	// begun are deliveries that began when their change was committed.
	begun tasks.Group
	count *prometheus.CounterVec

	mu sync.Mutex
	// day is the day, since 1970 in UTC, that sent and failed are about.
	day          int64
	sent, failed int
	failure      string
}

func newPost(h *Host, mailer identity.Mailer) *post {
	p := &post{host: h, mailer: mailer, count: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "stoa_mail_total",
		Help: "Attempts to send a message, by outcome (sent, failed, refused).",
	}, []string{"outcome"})}
	h.Registry.MustRegister(p.count)
	outbox.On(h.Outbox, func(ctx context.Context, e MailRequested, _ outbox.Tell) error { return p.send(ctx, e.Message) })
	h.Outbox.Patience(mailRequested, mailPatience)
	return p
}

// SaveAndSend stores a change together with its messages.
func (p *post) SaveAndSend(ctx context.Context, before, after identity.Identity, messages []identity.Message) error {
	if before == after && len(messages) == 0 {
		return nil
	}
	var records []outbox.Record
	for _, m := range messages {
		r := outbox.NewRecord(ctx, MailRequested{m}, p.host.NewID(), p.host.Now())
		r.Shard = p.host.Outbox.Shard(r.ID)
		records = append(records, r)
	}
	if err := p.host.Ops.Identities.SaveIdentityWith(ctx, before, after, records...); err != nil {
		return err
	}
	// The response must not tell by its time whether something is sent.
	p.begun.Go(func() { p.host.Outbox.Committed(context.WithoutCancel(ctx), records...) })
	return nil
}

// send sends a message. One that is refused for good is not attempted again.
func (p *post) send(ctx context.Context, m identity.Message) error {
	err := p.mailer.Send(ctx, m)
	var refused *identity.RefusedError
	switch {
	case err == nil:
		p.note("sent", "")
	case errors.As(err, &refused):
		p.note("refused", err.Error())
		p.host.Log.ErrorContext(ctx, "e-mail refused by the mail server", "userId", string(m.UserID), "error", err)
		return nil
	default:
		p.note("failed", err.Error())
	}
	return err
}

func (p *post) note(outcome, failure string) {
	p.count.WithLabelValues(outcome).Inc()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn()
	if p.failure = failure; failure == "" {
		p.sent++
	} else {
		p.failed++
	}
}

// turn starts to count again on a new day.
func (p *post) turn() {
	if day := p.host.Now().Unix() / int64(24*time.Hour/time.Second); day != p.day {
		p.day, p.sent, p.failed = day, 0, 0
	}
}

// mail returns what waits and was sent.
func (d *Desk) mail(waiting int) *operator.MailQueue {
	queue := &operator.MailQueue{Waiting: waiting}
	if p := d.host.post; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.turn()
		queue.SentToday, queue.FailedToday, queue.LastError = p.sent, p.failed, optional.IfSet(p.failure)
	}
	return queue
}
