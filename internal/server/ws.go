package server

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/coder/websocket"
)

// transportWS is the subprotocol of the npm package graphql-ws. The subprotocol called
// graphql-ws is AppSync's; it was also that of an obsolete protocol of Apollo's.
const (
	transportWS = "graphql-transport-ws"
	appSyncWS   = "graphql-ws"
)

// Close codes defined by the subprotocols.
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

// realtime handles the path that some SDKs derive for sockets, and nothing else.
func (e *endpoint) realtime(w http.ResponseWriter, r *http.Request) {
	if !isUpgrade(r) {
		w.Header().Set("Upgrade", "websocket")
		e.refuse(w, negotiate(r.Header["Accept"]), &rejection{status: http.StatusUpgradeRequired, errorType: malformed,
			message: "this path serves WebSockets only: send queries to /graphql"})
		return
	}
	e.webSocket(w, r)
}

// webSocket upgrades a connection to a socket with the subprotocol offered by the client.
func (e *endpoint) webSocket(w http.ResponseWriter, r *http.Request) {
	if e.draining.Err() != nil {
		e.refuse(w, plainJSON, &rejection{status: http.StatusServiceUnavailable, errorType: faulty, message: "the server is shutting down"})
		return
	}
	up := &upgrading{ResponseWriter: w, timeout: e.config.Limits.Write}
	conn, err := websocket.Accept(up, r, &websocket.AcceptOptions{
		Subprotocols: []string{transportWS, appSyncWS}, // some clients offer both
		// Pages of this very host may connect in any case.
		InsecureSkipVerify: e.tuned.Load().origins.opens(header(r.Header, "Origin")),
	})
	if err != nil {
		return // Accept has responded
	}
	// A new goroutine has a small stack. That of the request has grown in the handlers, and
	// also keeps everything alive that only the handshake needed.
	go e.newSocket(conn, up.out, r).serve(conn.Subprotocol(), handshakeHeaders(r))
}

// serve serves a socket until it is closed.
func (k *socket) serve(subprotocol string, headers headers) {
	defer k.end()
	defer func() {
		if p := recover(); p != nil {
			k.server.config.Log.Error("WebSocket handler panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	switch subprotocol {
	case transportWS:
		(&transport{socket: k, forget: func() {}}).serve()
	case appSyncWS:
		(&appSync{socket: k, handshake: headers, forget: func() {}}).serve()
	default:
		k.close(closeNoSubprotocol, "Subprotocol not acceptable")
	}
}
