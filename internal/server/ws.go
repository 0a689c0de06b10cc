package server

import (
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// transportWS is the subprotocol of the npm package graphql-ws. AppSync's is the one that
// calls itself graphql-ws, as did a protocol of Apollo's that nobody speaks any more.
const (
	transportWS = "graphql-transport-ws"
	appSyncWS   = "graphql-ws"
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
	if e.draining.Err() != nil {
		e.refuse(w, plainJSON, &rejection{http.StatusServiceUnavailable, faulty, "the server is shutting down"})
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:   []string{transportWS, appSyncWS}, // some clients offer both
		OriginPatterns: e.origins.patterns,
		// Credentials never come by themselves, as cookies would: an origin is only
		// refused when the operator says which ones there are.
		InsecureSkipVerify: len(e.origins.patterns) == 0,
	})
	if err != nil {
		return // Accept has answered
	}
	socket := e.newSocket(conn, r)
	defer socket.end()
	switch conn.Subprotocol() {
	case transportWS:
		(&transport{socket: socket, forget: func() {}}).serve()
	case appSyncWS:
		(&appSync{socket: socket, handshake: handshakeHeaders(r), forget: func() {}}).serve()
	default:
		socket.close(closeNoSubprotocol, "Subprotocol not acceptable")
	}
}
