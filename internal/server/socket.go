package server

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"stoa/internal/kit/bus"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/trace"
	"stoa/internal/server/wire"
)

// maxQueued is the maximum number of bytes queued for a client that does not read.
const maxQueued = 1 << 20

// closeMissed requests clients to reconnect and to refetch: they have missed events.
const closeMissed = websocket.StatusTryAgainLater

// socket is one WebSocket with any subprotocol. Its context is done when it is closed.
//
// Sending never waits for the client, so that a slow one delays nobody else's events; a
// client that falls too far behind is disconnected.
type socket struct {
	server *endpoint
	conn   *websocket.Conn
	out    *outlet
	// header and query are those of the handshake.
	header http.Header
	query  url.Values
	// address is the client's.
	address string
	ctx     context.Context
	cancel  context.CancelFunc
	leaving sync.Once

	mu        sync.Mutex
	keepAlive *time.Timer
	// ending is set once no more messages may be sent.
	ending bool
	// busy is the number of running queries and mutations, which a shutdown waits for. idle
	// is non-nil during a shutdown, and closed when none is left.
	busy int
	idle chan struct{}
}

func (e *endpoint) newSocket(conn *websocket.Conn, out *outlet, r *http.Request) *socket {
	// The context of the request does not apply to a hijacked connection.
	ctx, cancel := context.WithCancel(trace.WithRequestID(context.Background(), trace.RequestID(r.Context())))
	k := &socket{server: e, conn: conn, out: out, header: r.Header, query: r.URL.Query(), address: ratelimit.AddressOf(r), ctx: ctx, cancel: cancel}
	conn.SetReadLimit(e.config.Limits.AnonymousBodyBytes) // until it is known whose it is
	k.schedulePing()
	e.mu.Lock()
	e.sockets[k] = struct{}{}
	e.mu.Unlock()
	return k
}

// end releases the socket's resources once its closing has ended.
func (k *socket) end() {
	k.mu.Lock()
	ending := k.ending
	k.mu.Unlock()
	if ending {
		<-k.ctx.Done()
	}
	k.server.mu.Lock()
	delete(k.server.sockets, k)
	k.server.mu.Unlock()
	k.cancel()
	k.conn.CloseNow()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keepAlive.Stop()
}

func (k *socket) schedulePing() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx.Err() == nil {
		k.keepAlive = time.AfterFunc(k.server.config.Limits.KeepAlive, k.ping)
	}
}

// ping sends a ping. The connection is closed if the previous one was not answered.
func (k *socket) ping() {
	ctx, cancel := context.WithTimeout(k.ctx, k.server.config.Limits.Pong)
	defer cancel()
	if k.conn.Ping(ctx) != nil {
		k.cancel()
		k.conn.CloseNow()
		return
	}
	k.schedulePing()
}

// work records the start of a query or mutation. It returns false if the socket is about to
// close; otherwise done must be called.
func (k *socket) work() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.idle != nil {
		return false
	}
	k.busy++
	return true
}

func (k *socket) done() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy--; k.busy == 0 && k.idle != nil {
		close(k.idle)
	}
}

// rest prevents new queries and mutations and returns a channel that is closed when none is
// running.
func (k *socket) rest() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.idle == nil {
		k.idle = make(chan struct{})
		if k.busy == 0 {
			close(k.idle)
		}
	}
	return k.idle
}

// send sends a text message and takes ownership of its buffer.
func (k *socket) send(text *[]byte) {
	defer giveBuffer(text)
	if k.open() {
		k.out.hold()
		defer k.out.release(nil)
		_ = k.conn.Write(context.Background(), websocket.MessageText, *text) // fails only when closed
	}
}

// sendFor is send for an operation that may have ended, after which nothing is sent for it.
func (k *socket) sendFor(op *running, text *[]byte) {
	op.unlessOver(func() {
		k.send(text)
		text = nil
	})
	if text != nil {
		giveBuffer(text)
	}
}

// open reports whether messages may be sent. It closes the socket of a client that falls too
// far behind.
func (k *socket) open() bool {
	if k.out.backlog() > maxQueued {
		k.close(closeMissed, bus.TooSlow)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.ending
}

// message sends a message in the form common to both subprotocols.
func (k *socket) message(id, messageType string, payload []byte) {
	buffer := takeBuffer()
	*buffer = wire.AppendMessage(*buffer, id, messageType, payload)
	k.send(buffer)
}

// close closes the connection after earlier messages, with a reason for the client's
// developer.
func (k *socket) close(code websocket.StatusCode, reason string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.ending {
		k.ending = true
		go func() {
			k.conn.Close(code, clipReason(reason))
			k.cancel()
		}()
	}
}

// lose closes a socket that has missed events, which tells its client to refetch.
func (k *socket) lose(reason string) { k.leave(closeMissed, reason) }

// leave closes a socket whose client is to come back on another. Running queries and mutations end
// first: clients repeat those that have no answer. It does not wait for them.
func (k *socket) leave(code websocket.StatusCode, reason string) {
	k.leaving.Do(func() {
		go func() {
			deadline, cancel := context.WithTimeout(k.ctx, k.server.config.Limits.Shutdown)
			defer cancel()
			k.drain(deadline, code, reason)
		}()
	})
}

// drain waits for running queries and mutations and closes the socket. The code is to make
// clients reconnect, perhaps to another process.
func (k *socket) drain(deadline context.Context, code websocket.StatusCode, reason string) {
	select {
	case <-k.rest():
	case <-deadline.Done():
	}
	k.close(code, reason)
	select {
	case <-k.ctx.Done():
	case <-deadline.Done():
		k.conn.CloseNow()
	}
}

// clipReason truncates a reason to the 123 bytes available in a close frame.
func clipReason(reason string) string {
	const room = 123
	if len(reason) <= room {
		return reason
	}
	cut := room
	for !utf8.RuneStart(reason[cut]) {
		cut--
	}
	return reason[:cut]
}
