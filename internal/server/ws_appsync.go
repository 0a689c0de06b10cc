package server

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/refusal"
	"stoa/internal/server/operation"
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
			`{"errors":[{"errorType":"UnauthorizedException","message":"You are not authorized to make this call.","errorCode":401}]}`))
		a.close(websocket.StatusPolicyViolation, "Unauthorized")
		return false
	case err != nil:
		a.message("", "connection_error", []byte(
			`{"errors":[{"errorType":"InternalFailure","message":"ServerError: Internal server error","errorCode":500}]}`))
		a.close(websocket.StatusInternalError, "Internal server error")
		return false
	}
	a.acknowledged = true
	a.conn.SetReadLimit(a.server.bodyBytes(caller))
	a.forget = a.server.listen(a.handshake["authorization"], a.expire)
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

// startPayload is the payload of a start message: a request as JSON in a string.
type startPayload struct {
	Data       *string         `json:"data"`
	Extensions json.RawMessage `json:"extensions"`
}

// start starts a subscription, or reports why it cannot. It is fast: it only authenticates
// the caller and checks the request.
func (a *appSync) start(m wire.Message) {
	var payload startPayload
	switch {
	case m.ID == "":
		return // there is no way to respond
	case !a.acknowledged:
		a.refuse(m.ID, "BadRequestException", "send connection_init before start")
		return
	case json.Unmarshal(m.Payload, &payload) != nil || payload.Data == nil:
		a.unsupported(m.ID, "a start whose `payload.data` is not a JSON text is")
		return
	}
	request, err := wire.DecodeRequest([]byte(*payload.Data))
	if err != nil {
		a.refuse(m.ID, malformed, err.Error())
		return
	}
	headers := startHeaders(payload.Extensions)
	caller, err := a.server.identify(a.ctx, a.address, a.get(headers))
	var refused *refusal.Error
	if errors.As(err, &refused) {
		a.refuse(m.ID, unauthorized, refused.Text)
		return
	}
	if err != nil {
		a.refuse(m.ID, faulty, internalRejection.message)
		return
	}
	ctx, cancel := context.WithCancel(caller)
	s := &appSyncSubscription{
		running:       &running{id: m.ID, asked: *payload.Data, cancel: cancel},
		socket:        a,
		authorization: headers["authorization"],
	}
	if !a.add(s) {
		cancel()
		return
	}
	if !s.begin(ctx, &request) {
		a.operations.end(s.running)
	}
}

// add registers the id. Amplify repeats a start if it does not know whether the first one
// arrived; the repetition is acknowledged again and otherwise ignored.
func (a *appSync) add(s *appSyncSubscription) bool {
	if a.operations.add(s.running) {
		return true
	}
	if present := a.operations.find(s.id); present != nil && present.asked == s.asked {
		present.unlessOver(func() { a.message(s.id, "start_ack", nil) })
		return false
	}
	a.refuse(s.id, "DuplicatedOperationError", "the id is in use by another subscription")
	return false
}

// stop ends a subscription. Unknown ids, which have failed or been stopped before, are
// ignored.
func (a *appSync) stop(id string) {
	if op := a.operations.find(id); op != nil && a.operations.end(op) {
		a.message(id, "complete", nil)
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
	if op := a.operations.find(id); op != nil {
		a.operations.end(op)
	}
	a.message(id, "error", wire.AppendRefusal(nil, errorType, message))
}

func (a *appSync) errors(id string, errs gqlerror.List) {
	payload := wire.AppendErrors([]byte(`{"errors":`), errs)
	a.message(id, "error", append(payload, '}'))
}

// appSyncSubscription is one subscription of an AppSync socket, with its own credentials.
type appSyncSubscription struct {
	*running
	socket        *appSync
	authorization string
}

// begin reports whether the subscription has started; if not, the client has been notified.
func (s *appSyncSubscription) begin(ctx context.Context, request *wire.Request) bool {
	server := s.socket.server
	op, errs := server.executor.Prepare(ctx, request)
	if errs != nil {
		s.socket.errors(s.id, errs)
		return false
	}
	if op.Kind() != ast.Subscription {
		s.socket.unsupported(s.id, "queries and mutations are")
		return false
	}
	stream, leave, errs := server.subscribe(ctx, op, s.socket.lose)
	if errs != nil {
		s.socket.errors(s.id, errs)
		return false
	}
	// This is checked last, because refused starts do not count towards the limit.
	if limit := server.config.Limits.Subscriptions; s.socket.operations.exceed(limit) {
		leave()
		s.socket.errors(s.id, gqlerror.List{tooManySubscriptions(limit)})
		return false
	}
	if server.limiter.Take(callerKey(ctx), server.config.Rate) > 0 {
		leave()
		s.socket.message(s.id, "error", []byte(`{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}`))
		return false
	}
	forget := server.listen(s.authorization, s.expire)
	s.socket.message(s.id, "start_ack", nil)
	go func() {
		defer leave()
		defer forget()
		s.run(ctx, stream)
	}()
	return true
}

// run sends events until the subscription ends.
func (s *appSyncSubscription) run(ctx context.Context, stream *operation.Stream) {
	for {
		result, more := stream.Next()
		if !more {
			break
		}
		if string(result.Data) != string(wire.Null) {
			s.send(result.Data)
		}
	}
	if ctx.Err() == nil {
		s.fail("ClientError", "ClientError: The subscription has ended")
	}
}

// send sends data without errors, which clients would take for the end. A failed field is
// null.
func (s *appSyncSubscription) send(data []byte) {
	buffer := takeBuffer()
	*buffer = wire.AppendData(*buffer, s.id, data)
	s.socket.sendFor(s.running, buffer)
}

func (s *appSyncSubscription) expire() { s.fail(unauthorized, "Token has expired.") }

func (s *appSyncSubscription) fail(errorType, message string) {
	if s.socket.operations.end(s.running) {
		s.socket.refuse(s.id, errorType, message)
	}
}
