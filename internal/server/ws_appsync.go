package server

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/refusal"
	"stoa/internal/server/wire"
)

// Intervals of the AppSync protocol. Clients consider a connection dead if it brings no
// "ka" for as long as the acknowledgement says, even if it brings other messages.
const (
	appSyncTimeout   = 300 * time.Second
	appSyncKeepAlive = 30 * time.Second
	// appSyncInit is the timeout for a client to request the acknowledgement.
	appSyncInit = 15 * time.Second
)

// appSync implements the realtime protocol of AWS AppSync on one socket.
//
// Its clients are many years old and fragile: they crash on an error for an unknown id,
// hang on a null payload, and end a subscription whose data contain errors. Messages are
// adapted to them.
type appSync struct {
	*socket
	// handshake holds the headers of the handshake.
	handshake  headers
	operations operations
	// caller is the key that starts are counted by, once acknowledged.
	caller string
	// acknowledged is set once the client may start subscriptions. It is only used by the
	// reading goroutine.
	acknowledged bool
	// forget stops rechecking the credentials of the handshake.
	forget func()
}

// serve reads messages until the socket is closed.
func (a *appSync) serve() {
	initTimeout := time.AfterFunc(appSyncInit, func() {
		a.close(websocket.StatusPolicyViolation, "Connection initialisation timeout")
	})
	defer initTimeout.Stop()
	defer func() { a.forget() }()
	for {
		kind, text, err := a.conn.Read(context.Background())
		if err != nil {
			return
		}
		message, err := wire.DecodeMessage(text)
		if kind != websocket.MessageText || err != nil {
			a.close(websocket.StatusUnsupportedData, "messages must be JSON objects with a `type`")
			return
		}
		switch message.Type {
		case "connection_init":
			initTimeout.Stop()
			if !a.initialise() {
				return
			}
		case "start":
			a.start(message)
		case "stop":
			a.stop(message.ID)
		default:
			a.unsupported(message.ID, "`"+message.Type+"` messages are")
		}
	}
}

// initialise reports whether the socket remains open. Its credentials were sent with the
// handshake, where clients cannot see a refusal.
func (a *appSync) initialise() bool {
	if a.acknowledged {
		a.message("", "connection_ack", acknowledgement)
		return true
	}
	caller, err := a.server.identify(a.ctx, a.address, a.get(a.handshake))
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		a.message("", "connection_error", []byte(
			`{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this call.",`+
				`"errorCode":401,"extensions":{"code":"UNAUTHENTICATED"}}]}`))
		a.close(websocket.StatusPolicyViolation, "Unauthorized")
		return false
	case err != nil:
		a.message("", "connection_error", []byte(
			`{"errors":[{"errorType":"InternalFailure","message":"ServerError: Internal server error","errorCode":500}]}`))
		a.close(websocket.StatusInternalError, "Internal server error")
		return false
	}
	a.acknowledged, a.caller = true, callerKey(caller)
	a.conn.SetReadLimit(a.server.bodyBytes(caller))
	a.forget = a.server.listen(a.handshake["authorization"], a.expire, a.breakOff).stop
	a.message("", "connection_ack", acknowledgement)
	a.keepAlive()
	return true
}

var acknowledgement, _ = json.Marshal(map[string]int64{"connectionTimeoutMs": appSyncTimeout.Milliseconds()})

// keepAlive sends "ka" periodically until the socket is closed.
func (a *appSync) keepAlive() {
	if a.ctx.Err() == nil {
		a.message("", "ka", nil)
		time.AfterFunc(appSyncKeepAlive, a.keepAlive)
	}
}

// expire closes a socket whose handshake credentials are no longer valid. Subscriptions
// have their own, which may be newer.
func (a *appSync) expire() {
	if a.operations.none() {
		a.close(websocket.StatusPolicyViolation, "Token has expired.")
	}
}

// breakOff closes a socket whose handshake credentials cannot be rechecked, if it has no
// subscriptions.
func (a *appSync) breakOff() {
	if a.operations.none() {
		a.close(websocket.StatusInternalError, "Internal server error")
	}
}

// get returns a lookup of headers in h. Headers that describe the app may also be sent with
// the handshake, as headers or as query parameters.
func (a *appSync) get(h headers) func(string) string {
	return func(name string) string {
		lower := strings.ToLower(name)
		if value, ok := h[lower]; ok || lower == "authorization" {
			return value
		}
		if value, ok := a.handshake[lower]; ok {
			return value
		}
		for given, values := range a.query {
			if strings.ToLower(given) == lower && len(values) > 0 {
				return values[0]
			}
		}
		return a.header.Get(name)
	}
}

// unsupported responds to messages outside the protocol. Without an id, clients could not
// relate the response to anything.
func (a *appSync) unsupported(id, what string) {
	if id != "" {
		a.refuse(id, "UnsupportedOperation", what+" not supported through the realtime channel")
	}
}

// refuse sends an error for an id, which ends its subscription at the client and therefore
// also here, if there is one.
func (a *appSync) refuse(id, errorType, message string) {
	a.refuseWith(id, wire.AppendRefusal(nil, errorType, codeOf(errorType), message))
}

// refuseWith is refuse with a payload.
func (a *appSync) refuseWith(id string, payload []byte) {
	send := func() { a.message(id, "error", payload) }
	if op := a.operations.find(id); op == nil || !a.operations.end(op, send) {
		send()
	}
}

func (a *appSync) errors(id string, errs gqlerror.List) {
	payload := wire.AppendErrors([]byte(`{"errors":`), errs)
	a.message(id, "error", append(payload, '}'))
}
