// Package nats is a bus between processes that uses a NATS server.
//
// Subscribers in the publishing process receive a message at once, even if NATS fails.
// Those in other processes miss messages while their own connection to NATS is lost, which
// Ready reports; messages published while the publisher's connection is lost are sent
// later. Messages of one process arrive in order.
package nats

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
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
	closed chan struct{}
}

// Connect joins the bus of all processes that use the same name on the server at url.
func Connect(url, name string, log *slog.Logger) (*Bus, error) {
	b := &Bus{prefix: strings.ReplaceAll(name, ".", "_") + ".", closed: make(chan struct{})}
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
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("reconnected to NATS") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Error("NATS reported an error", "error", err)
		}),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to NATS at %s: %w", redacted(url), err)
	}
	if err = b.listen(); err != nil {
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
	_, err := b.conn.Subscribe(b.prefix+"*", func(m *nats.Msg) {
		subject, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(m.Subject, b.prefix))
		if err == nil { // otherwise it is not one of ours
			_ = b.local.Publish(context.Background(), string(subject), m.Data) // never fails
		}
	})
	if err != nil {
		return err
	}
	return b.conn.Flush() // from here on no message is missed
}

// Publish sends data to the current subscribers of subject in all processes. It never waits
// for them.
func (b *Bus) Publish(ctx context.Context, subject string, data []byte) error {
	if err := b.local.Publish(ctx, subject, data); err != nil {
		return err
	}
	return b.conn.Publish(b.prefix+base64.RawURLEncoding.EncodeToString([]byte(subject)), data)
}

// Heard returns true, because subscribers in other processes are unknown.
func (b *Bus) Heard(string) bool { return true }

// Subscribe returns the messages on subject from now on. The channel is closed when ctx is
// done or its reader falls too far behind.
func (b *Bus) Subscribe(ctx context.Context, subject string) (<-chan []byte, error) {
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
