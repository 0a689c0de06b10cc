// Package nats is a bus between processes that uses a NATS server.
//
// Subscribers in the publishing process receive a message at once, even if NATS fails.
// Those in other processes miss messages while their own connection to NATS is lost, which
// Ready reports; messages published while the publisher's connection is lost are sent
// later. Messages of one process arrive in order.
//
// Processes number their messages. When some have not arrived, any subscription may have
// missed one, so all in this process end, and their clients read again.
package nats

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
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
)

// Bus implements the methods of bus.Local for several processes.
type Bus struct {
	local  bus.Local
	conn   *nats.Conn
	prefix string
	log    *slog.Logger
	closed chan struct{}

	// id identifies this process among publishers.
	id string
	// sending is locked while a message is numbered and sent, so that messages are sent in
	// the order of their numbers.
	sending sync.Mutex
	sent    uint64

	// others receives the messages of other processes.
	others *nats.Subscription
	// receiving guards heard, the number of the latest message of each other process.
	receiving sync.Mutex
	heard     map[string]uint64
}

// Headers of messages. Processes that do not know them ignore them.
const (
	publisherHeader = "Stoa-Publisher"
	numberHeader    = "Stoa-Number"
)

// numberSubject is the subject of messages without data for anybody, which only show the current
// number of their publisher. It is not the encoding of any subject.
const numberSubject = "!"

// Connect joins the bus of all processes that use the same name on the server at url.
func Connect(url, name string, log *slog.Logger) (*Bus, error) {
	b := &Bus{prefix: strings.ReplaceAll(name, ".", "_") + ".", log: log, closed: make(chan struct{}), id: rand.Text(), heard: map[string]uint64{}}
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
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			log.Warn("lost the connection to NATS: events of other processes do not arrive until it is back", "error", err)
			b.forget()
		}),
		nats.ReconnectHandler(func(*nats.Conn) { b.reconnected() }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Error("NATS reported an error", "error", err)
			if errors.Is(err, nats.ErrSlowConsumer) {
				b.lose("messages of other processes are handled too slowly")
			}
		}),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to NATS at %s: %w", redacted(url), err)
	}
	err = b.listen()
	if err == nil {
		err = b.announceNumber() // others notice if the next message is lost
	}
	if err != nil {
		b.conn.Close()
		return nil, err
	}
	return b, nil
}

// redacted returns a URL without its password.
func redacted(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
}

// listen receives the messages of other processes. It uses one subscription for all
// subjects, because clients come and go too often for one each.
func (b *Bus) listen() error {
	var err error
	if b.others, err = b.conn.Subscribe(b.prefix+"*", b.receive); err != nil {
		return err
	}
	return b.conn.Flush() // from here on no message is missed
}

func (b *Bus) receive(m *nats.Msg) {
	if missed := b.count(m.Header); missed > 0 {
		b.lose("messages of another process have not arrived", "messages", missed)
	}
	subject, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(m.Subject, b.prefix))
	switch {
	case err != nil: // not one of ours
	case len(m.Data) == 0:
		b.local.Lose(string(subject)) // the message was too large to be sent
	default:
		_ = b.local.Publish(context.Background(), string(subject), bus.Unknown, m.Data) // never fails
	}
}

// count returns the number of messages that are missing before the one with the given
// header.
func (b *Bus) count(h nats.Header) (missed uint64) {
	publisher := h.Get(publisherHeader)
	number, err := strconv.ParseUint(h.Get(numberHeader), 10, 64)
	if publisher == "" || err != nil {
		return 0 // from a process of an earlier version
	}
	b.receiving.Lock()
	defer b.receiving.Unlock()
	before, known := b.heard[publisher]
	b.heard[publisher] = max(number, before)
	if !known || number <= before {
		return 0
	}
	return number - before - 1
}

// forget makes the next message of each process the first.
func (b *Bus) forget() {
	b.receiving.Lock()
	defer b.receiving.Unlock()
	clear(b.heard)
}

// lose ends all subscriptions, which may have missed messages.
func (b *Bus) lose(why string, args ...any) {
	b.log.Warn("events may have been missed, subscriptions end: "+why, args...)
	b.local.LoseAll()
}

// reconnected ends the subscriptions once messages arrive again, so that their clients miss
// nothing after they have read again.
func (b *Bus) reconnected() {
	b.log.Info("reconnected to NATS")
	err := b.conn.FlushTimeout(pingEvery)
	if err == nil {
		err = b.announceNumber() // what was being sent when the connection broke is lost
	}
	if err != nil {
		b.log.Warn("NATS does not respond", "error", err)
	}
	b.lose("the connection to NATS was lost")
}

// announceNumber tells other processes the number of messages sent so far.
func (b *Bus) announceNumber() error { return b.send(b.prefix+numberSubject, nil) }

// send sends a numbered message. If it cannot be sent, its number shows that to the others,
// except for a message that is too large: the caller knows what to do.
func (b *Bus) send(subject string, data []byte) error {
	b.sending.Lock()
	defer b.sending.Unlock()
	b.sent++
	err := b.conn.PublishMsg(&nats.Msg{Subject: subject, Data: data, Header: nats.Header{
		publisherHeader: {b.id},
		numberHeader:    {strconv.FormatUint(b.sent, 10)},
	}})
	if errors.Is(err, nats.ErrMaxPayload) {
		b.sent--
	}
	return err
}

// Sequence returns the current sequence number of this process.
func (b *Bus) Sequence() bus.Sequence { return b.local.Sequence() }

// Publish sends data to the current subscribers of subject in all processes. It never waits
// for them. Those in this process must have been there at the given sequence number, if it is known.
func (b *Bus) Publish(ctx context.Context, subject string, at bus.Sequence, data []byte) error {
	if err := b.local.Publish(ctx, subject, at, data); err != nil {
		return err
	}
	to := b.prefix + base64.RawURLEncoding.EncodeToString([]byte(subject))
	err := b.send(to, data)
	if errors.Is(err, nats.ErrMaxPayload) {
		return errors.Join(err, b.send(to, nil)) // which ends the subscriptions to this subject
	}
	return err
}

// Heard returns true, because subscribers in other processes are unknown.
func (b *Bus) Heard(string) bool { return true }

// Subscribe returns the messages on subject from now on. The channel is closed when ctx is
// done or messages may have been missed.
func (b *Bus) Subscribe(ctx context.Context, subject string) (<-chan bus.Message, error) {
	return b.local.Subscribe(ctx, subject)
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
