package server

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"stoa/internal/kit/trace"
)

// transportWS is the subprotocol of the npm package graphql-ws; the older protocol,
// confusingly, is the one that calls itself graphql-ws.
const (
	transportWS = "graphql-transport-ws"
	legacyWS    = "graphql-ws"
)

// Close codes that the subprotocols define.
const (
	closeInvalidMessage       websocket.StatusCode = 4400
	closeUnauthorized         websocket.StatusCode = 4401
	closeForbidden            websocket.StatusCode = 4403
	closeNoSubprotocol        websocket.StatusCode = 4406
	closeInitTimeout          websocket.StatusCode = 4408
	closeDuplicateSubscriber  websocket.StatusCode = 4409
	closeTooManyInitialisings websocket.StatusCode = 4429
	closeInternalError        websocket.StatusCode = 4500
)

func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet && headerHas(r.Header, "Connection", "upgrade") && headerHas(r.Header, "Upgrade", "websocket")
}

func headerHas(h http.Header, name, token string) bool {
	for _, value := range h[name] {
		for item := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(item), token) {
				return true
			}
		}
	}
	return false
}

// realtime is the path that some SDKs derive for sockets; nothing else lives there.
func (e *endpoint) realtime(w http.ResponseWriter, r *http.Request) {
	if !isUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		e.refuse(w, negotiate(r.Header["Accept"]), &rejection{http.StatusUpgradeRequired, malformed,
			"this path serves WebSockets only: send queries to /graphql"})
		return
	}
	e.webSocket(w, r)
}

// webSocket serves a socket until it closes, by the subprotocol the client offers.
func (e *endpoint) webSocket(w http.ResponseWriter, r *http.Request) {
	offersTransport := headerHas(r.Header, "Sec-Websocket-Protocol", transportWS)
	if !offersTransport && headerHas(r.Header, "Sec-Websocket-Protocol", legacyWS) {
		e.refuse(w, plainJSON, &rejection{http.StatusBadRequest, malformed,
			"WebSocket subprotocol `graphql-ws` is not served: use `graphql-transport-ws`"})
		return
	}
	if e.draining.Err() != nil {
		e.refuse(w, plainJSON, &rejection{http.StatusServiceUnavailable, faulty, "the server is shutting down"})
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:   []string{transportWS},
		OriginPatterns: e.origins.patterns,
	})
	if err != nil {
		return // Accept has answered
	}
	if !offersTransport {
		conn.Close(closeNoSubprotocol, "Subprotocol not acceptable")
		return
	}
	socket := e.newSocket(conn, r)
	defer socket.end()
	(&transport{socket: socket, operations: map[string]*running{}}).serve()
}

// socket is one WebSocket, whatever it speaks. Its context ends when it closes.
type socket struct {
	server *endpoint
	conn   *websocket.Conn
	header http.Header
	ctx    context.Context
	cancel context.CancelFunc

	mu        sync.Mutex
	keepAlive *time.Timer
	// busy counts running queries and mutations, which a shutdown waits for; idle is
	// there once it does, and closed when none is left.
	busy int
	idle chan struct{}
}

func (e *endpoint) newSocket(conn *websocket.Conn, r *http.Request) *socket {
	// The request's own context says nothing about a connection that was taken over.
	ctx, cancel := context.WithCancel(trace.WithRequestID(context.Background(), trace.RequestID(r.Context())))
	socket := &socket{server: e, conn: conn, header: r.Header, ctx: ctx, cancel: cancel}
	conn.SetReadLimit(e.config.Limits.BodyBytes)
	socket.schedulePing()
	e.mu.Lock()
	e.sockets[socket] = struct{}{}
	e.mu.Unlock()
	return socket
}

func (k *socket) end() {
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

// ping asks for a sign of life; a peer that owes one is gone.
func (k *socket) ping() {
	ctx, cancel := context.WithTimeout(k.ctx, k.server.config.Limits.KeepAlive)
	defer cancel()
	if k.conn.Ping(ctx) != nil {
		k.cancel()
		k.conn.CloseNow()
		return
	}
	k.schedulePing()
}

// begin marks the start of a query or mutation. It reports false once the socket is
// about to close; otherwise done must follow.
func (k *socket) begin() bool {
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

// rest lets nothing begin any more and returns what closes when nothing runs.
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

// write sends one text message. A client that does not take it in time loses the
// connection, so that it cannot hold back what others wait for.
func (k *socket) write(frame []byte) error {
	ctx, cancel := context.WithTimeout(k.ctx, k.server.config.Limits.Write)
	defer cancel()
	return k.conn.Write(ctx, websocket.MessageText, frame)
}

// close ends the connection with a reason for the client's developer.
func (k *socket) close(code websocket.StatusCode, reason string) {
	k.conn.Close(code, clipReason(reason))
	k.cancel()
}

// drain lets running queries and mutations finish and closes the socket. Clients
// take the code as a reason to connect again, perhaps to another process.
func (k *socket) drain(deadline context.Context) {
	select {
	case <-k.rest():
	case <-deadline.Done():
	}
	k.close(websocket.StatusGoingAway, "the server is shutting down")
}

// clipReason keeps a reason within the 123 bytes that a close frame has for it.
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
