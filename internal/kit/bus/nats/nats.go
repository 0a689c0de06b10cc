// Package nats is a bus between processes, over a NATS server.
//
// Subscribers of the process that publishes get a message at once, whatever becomes of
// NATS. Those of others miss what is published while their own connection to NATS is lost,
// which Ready tells; the publisher's is made up for when it is back. Messages of one
// process arrive in their order.
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

// Bounds of how long it takes to notice that the server is gone, and to try again.
const (
	pingEvery  = 5 * time.Second
	pingsOwed  = 2
	retryAfter = 250 * time.Millisecond
	// mostHeld bounds what is kept for a server that is away, in bytes.
	mostHeld = 8 << 20
	// drainTime is how long what was published may take to leave when the bus is closed.
	drainTime = 5 * time.Second
)

// Bus implements the methods of bus.Local for several processes.
type Bus struct {
	local  bus.Local
	conn   *nats.Conn
	prefix string
	closed chan struct{}
}

// Connect joins the bus of the processes that use the same name on the server at url.
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
			log.Warn("NATS is away: events of other processes do not arrive", "error", err)
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("NATS is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Error("NATS reports a fault", "error", err)
		}),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
	)
	if err != nil {
		return nil, fmt.Errorf("the bus %s cannot be reached: %w", redacted(url), err)
	}
	if err = b.listen(); err != nil {
		b.conn.Close()
		return nil, err
	}
	return b, nil
}

// redacted is an address without the password that may be in it.
func redacted(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	return scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
}

// listen takes the messages of other processes. One subscription is enough for all
// subjects: clients come and go too often for one each.
func (b *Bus) listen() error {
	_, err := b.conn.Subscribe(b.prefix+"*", func(m *nats.Msg) {
		subject, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(m.Subject, b.prefix))
		if err == nil { // else it is nobody's of ours
			_ = b.local.Publish(context.Background(), string(subject), m.Data) // never fails
		}
	})
	if err != nil {
		return err
	}
	return b.conn.Flush() // from here on nothing is missed
}

// Publish hands data to the present subscribers of subject in all processes. It never
// waits for any of them.
func (b *Bus) Publish(ctx context.Context, subject string, data []byte) error {
	if err := b.local.Publish(ctx, subject, data); err != nil {
		return err
	}
	return b.conn.Publish(b.prefix+base64.RawURLEncoding.EncodeToString([]byte(subject)), data)
}

// Heard reports true: who subscribes in other processes is not known here.
func (b *Bus) Heard(string) bool { return true }

// Subscribe returns the messages on subject from now on. The channel is closed when ctx
// ends, and when its reader falls too far behind.
func (b *Bus) Subscribe(ctx context.Context, subject string) (<-chan []byte, error) {
	return b.local.Subscribe(ctx, subject)
}

// Ready reports why messages of other processes do not arrive right now.
func (b *Bus) Ready(context.Context) error {
	if !b.conn.IsConnected() {
		return errors.New("NATS is away")
	}
	return nil
}

// Close lets go of the server once it has what was published.
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
