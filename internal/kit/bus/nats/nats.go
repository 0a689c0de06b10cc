// Package nats is a bus between processes that uses a NATS server.
//
// Subscribers in the publishing process receive a message at once, even if NATS fails.
// Those in other processes miss messages while their own connection to NATS is lost, which
// Ready reports; messages published while the publisher's connection is lost are sent
// later. Messages of one process arrive in order.
//
// A process hears only the subjects that its own subscribers listen to, or have listened to
// lately. Each message names its publisher's previous one on the same subject, so that a
// process notices when one has not arrived; the last one on a subject is followed by a message
// without data for nobody. Subscriptions that may have missed a message end, and their clients
// come back. So do all when a process has died, because it may not have sent what it owed.
//
// A subscriber can resume only in the process in which it was before (docs/adr/0036).
package nats

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"stoa/internal/kit/bus"
)

// Timeouts for detecting that the server is unreachable, and for reconnecting.
const (
	pingEvery  = 5 * time.Second
	pingsOwed  = 2
	retryAfter = 250 * time.Millisecond
	// mostHeld is the maximum number of bytes buffered while the server is unreachable.
	mostHeld = 8 << 20
	// drainTime is the timeout for sending published messages when the bus is closed.
	drainTime = 5 * time.Second
	// answerTime is the timeout for the server to confirm a subscription.
	answerTime = time.Second
	// mostIncoming is the number of messages of other processes that wait to be handled.
	mostIncoming = 1 << 14
)

// Bus implements the methods of bus.Local for several processes.
type Bus struct {
	local  bus.Local
	conn   *nats.Conn
	prefix string
	log    *slog.Logger
	closed chan struct{}
	// refused is set while the server refuses the credentials.
	refused atomic.Bool

	// id identifies this process among publishers.
	id string
	// out.mu is locked while a message is numbered and sent, so that messages are sent in the
	// order of their numbers.
	out outgoing

	// incoming are all messages of other processes, in the order in which the server has sent
	// them.
	incoming chan *nats.Msg
	in       incoming

	// interest guards interests, by subject.
	interest  sync.Mutex
	interests map[string]*interest
	// dropped are the subjects whose messages are kept no longer, late those that the server has
	// not confirmed in time.
	dropped, late subjects

	// beatEvery and deadAfter are the interval of signs of life, and the silence after which
	// another process is taken for dead.
	beatEvery, deadAfter time.Duration
}

// Option changes how a Bus works.
type Option func(*Bus)

// Beats sets the interval of signs of life, and the silence after which another process is
// taken for dead. They are 2 s and 10 s, and must be the same in all processes.
func Beats(every, deadAfter time.Duration) Option {
	return func(b *Bus) { b.beatEvery, b.deadAfter = every, deadAfter }
}

// Connect joins the bus of all processes that use the same name on the server at url.
func Connect(url, name string, log *slog.Logger, options ...Option) (*Bus, error) {
	b := &Bus{
		prefix: strings.ReplaceAll(name, ".", "_") + ".", log: log, closed: make(chan struct{}),
		incoming: make(chan *nats.Msg, mostIncoming), interests: map[string]*interest{}, beatEvery: 2 * time.Second, deadAfter: 10 * time.Second,
	}
	for _, change := range options {
		change(b)
	}
	b.id, b.local.Dropped = b.local.ID(), func(subject string) { b.dropped.add(subject) }
	b.out.latest, b.out.quiet = map[string]uint64{}, map[string]time.Time{}
	b.in = incoming{heard: map[string]map[string]uint64{}, beats: map[string]time.Time{}}
	var err error
	b.conn, err = nats.Connect(url,
		nats.Name(name),
		nats.NoEcho(),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(retryAfter),
		nats.ReconnectJitter(retryAfter, retryAfter),
		nats.ReconnectBufSize(mostHeld),
		nats.PingInterval(pingEvery),
		nats.MaxPingsOutstanding(pingsOwed),
		nats.DrainTimeout(drainTime),
		nats.DisconnectErrHandler(func(c *nats.Conn, err error) {
			if c.IsClosed() {
				return // by Close
			}
			log.Warn("lost the connection to NATS: events of other processes do not arrive until it is back", "error", err)
			b.out.disconnected()
			b.in.forget()
		}),
		nats.ReconnectHandler(func(*nats.Conn) { b.reconnected() }),
		nats.IgnoreAuthErrorAbort(), // it reconnects also after it has been refused twice
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.failed(err) }),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to NATS at %s: %w", redacted(url), err)
	}
	if _, err = b.conn.ChanSubscribe(b.prefix+beatSubject, b.incoming); err == nil {
		err = b.conn.Flush() // from here on others reach this process
	}
	if err != nil {
		b.conn.Close()
		return nil, err
	}
	go b.receiveAll()
	go b.beatAll()
	return b, nil
}

// redacted returns a URL without its password.
func redacted(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
}

// subjectOf returns the server's name of a subject.
func (b *Bus) subjectOf(subject string) string {
	return b.prefix + base64.RawURLEncoding.EncodeToString([]byte(subject))
}

// lose ends all subscriptions, which may have missed messages.
func (b *Bus) lose(why string, args ...any) {
	b.log.Warn("events may have been missed, subscriptions end: "+why, args...)
	b.local.LoseAll()
}

// refusals are the errors of a server that does not accept the credentials.
var refusals = []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired}

// failed handles an error that NATS reports. It repeats a refusal at each attempt to reconnect.
func (b *Bus) failed(err error) {
	if slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) }) {
		if !b.refused.Swap(true) {
			b.log.Error("NATS refuses the credentials: check the setting bus", "error", err)
		}
		return
	}
	b.log.Error("NATS reported an error", "error", err)
	if errors.Is(err, nats.ErrSlowConsumer) {
		b.lose("messages of other processes are handled too slowly")
	}
}

// reconnected ends the subscriptions once messages arrive again, so that their clients miss
// nothing after they have come back.
func (b *Bus) reconnected() {
	b.refused.Store(false)
	b.log.Info("reconnected to NATS")
	err := b.conn.FlushTimeout(pingEvery)
	if err == nil {
		err = b.out.beat(b) // others learn what may be lost
	}
	if err != nil {
		b.log.Warn("NATS does not respond", "error", err)
	}
	b.lose("the connection to NATS was lost")
}

// Sequence returns the current sequence number of this process.
func (b *Bus) Sequence() bus.Sequence { return b.local.Sequence() }

// Publish sends data to the current subscribers of subject in all processes. It never waits
// for them. Those in this process must have been there at the given sequence number, if it is known.
func (b *Bus) Publish(_ context.Context, subject string, at bus.Sequence, data []byte) error {
	b.out.mu.Lock()
	defer b.out.mu.Unlock()
	b.local.Deliver(subject, at, data)
	err := b.out.send(b, subject, data)
	if errors.Is(err, nats.ErrMaxPayload) {
		return errors.Join(err, b.out.send(b, subject, nil)) // which ends the subscriptions to this subject
	}
	return err
}

// Heard returns true, because subscribers in other processes are unknown.
func (b *Bus) Heard(string) bool { return true }

// Subscribe returns the messages on subject from now on. The channel is closed when ctx is
// done or messages may have been missed.
func (b *Bus) Subscribe(ctx context.Context, subject string) (<-chan bus.Message, error) {
	s, err := listen(b, subject, func() (<-chan bus.Message, error) { return b.local.Subscribe(ctx, subject) })
	return s, err
}

// Resume is Subscribe for a subscriber that has received all messages up to a place. Messages may
// be missing if the place is in another process.
func (b *Bus) Resume(ctx context.Context, subject string, from bus.Place) (bus.Subscription, error) {
	return listen(b, subject, func() (bus.Subscription, error) { return b.local.Resume(ctx, subject, from) })
}

// Ready returns the reason why messages of other processes currently do not arrive, or nil.
func (b *Bus) Ready(context.Context) error {
	if !b.conn.IsConnected() {
		return errors.New("not connected to NATS")
	}
	return nil
}

// Close closes the connection once published messages have been sent.
func (b *Bus) Close() error {
	b.out.leave(b)
	if err := b.conn.Drain(); err != nil {
		b.conn.Close()
		if errors.Is(err, nats.ErrConnectionReconnecting) {
			return nil
		}
		return err
	}
	<-b.closed
	return nil
}
