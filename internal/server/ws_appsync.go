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
	"stoa/internal/kit/viewer"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// The times of the AppSync protocol. Clients take a connection for dead that brings no
// "ka" for as long as the acknowledgement says, whatever else it brings.
const (
	appSyncTimeout   = 300 * time.Second
	appSyncKeepAlive = 30 * time.Second
	// appSyncInit is how long a client may take to ask for the acknowledgement.
	appSyncInit = 15 * time.Second
)

// appSync speaks the realtime protocol of AWS AppSync on one socket.
//
// Its clients are many years old and do not forgive: they crash on an error for an id
// they do not know, hang on a payload that is null, and end a subscription whose data
// come with errors. What is sent here is written for them.
type appSync struct {
	*socket
	// handshake are the headers that came with it.
	handshake  headers
	operations operations
	// acknowledged: the client may start subscriptions. Only the reading goroutine
	// touches it.
	acknowledged bool
	// forget ends the watch over the handshake's credentials.
	forget func()
}

// serve reads messages until the socket closes.
func (a *appSync) serve() {
	initTimeout := time.AfterFunc(appSyncInit, func() {
		a.close(websocket.StatusPolicyViolation, "Connection initialisation timeout")
	})
	defer initTimeout.Stop()
	defer func() { a.forget() }()
	for {
		kind, text, err := a.conn.Read(a.ctx)
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

// initialise reports whether the socket lives on. Its credentials came with the
// handshake, where clients could not see a refusal.
func (a *appSync) initialise() bool {
	if a.acknowledged {
		a.message("", "connection_ack", acknowledgement)
		return true
	}
	_, err := a.server.identify(a.ctx, a.get(a.handshake))
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
	a.forget = a.server.listen(a.handshake["authorization"], a.expire)
	a.message("", "connection_ack", acknowledgement)
	a.keepAlive()
	return true
}

var acknowledgement, _ = json.Marshal(map[string]int64{"connectionTimeoutMs": appSyncTimeout.Milliseconds()})

// keepAlive sends "ka" now and then until the socket ends.
func (a *appSync) keepAlive() {
	if a.ctx.Err() == nil {
		a.message("", "ka", nil)
		time.AfterFunc(appSyncKeepAlive, a.keepAlive)
	}
}

// expire ends a socket whose handshake's credentials are no longer good. Subscriptions
// have their own, which may be newer.
func (a *appSync) expire() {
	if a.operations.none() {
		a.close(websocket.StatusPolicyViolation, "Token has expired.")
	}
}

// get looks a header up in h. What apps say about themselves may also come with the
// handshake, as headers or as query parameters.
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

// startPayload is what a start message carries: a request as JSON in a string.
type startPayload struct {
	Data       *string         `json:"data"`
	Extensions json.RawMessage `json:"extensions"`
}

// start begins a subscription, or says why not. It is quick: it checks who asks for what
// and waits for nobody.
func (a *appSync) start(m wire.Message) {
	var payload startPayload
	switch {
	case m.ID == "":
		return // there is no way to answer
	case !a.acknowledged:
		a.refuse(m.ID, "BadRequestException", "send connection_init before start")
		return
	case json.Unmarshal(m.Payload, &payload) != nil || payload.Data == nil:
		a.unsupported(m.ID, "a start whose `payload.data` is no JSON text is")
		return
	}
	request, err := wire.DecodeRequest([]byte(*payload.Data))
	if err != nil {
		a.refuse(m.ID, malformed, err.Error())
		return
	}
	headers := startHeaders(payload.Extensions)
	caller, err := a.server.identify(a.ctx, a.get(headers))
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
		viewer:        viewer.From(caller).UserID,
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

// add makes the id known. Amplify sends a start again when it does not know whether the
// first one arrived: that is acknowledged again and changes nothing else.
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

// stop ends a subscription. Those unknown have failed or were stopped before.
func (a *appSync) stop(id string) {
	if op := a.operations.find(id); op != nil && a.operations.end(op) {
		a.message(id, "complete", nil)
	}
}

// unsupported answers what the protocol does not know. Without an id nobody could tell
// what the answer is about.
func (a *appSync) unsupported(id, what string) {
	if id != "" {
		a.refuse(id, "UnsupportedOperation", what+" not supported through the realtime channel")
	}
}

// refuse sends an error about an id, which ends its subscription at the client and so here,
// if there is one.
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

// appSyncSubscription is one subscription of an AppSync socket, with credentials of its
// own.
type appSyncSubscription struct {
	*running
	socket        *appSync
	viewer        viewer.UserID
	authorization string
}

// begin reports whether the subscription has begun; if not, the client has been told.
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
	// Only now: a start that is refused counts towards no limit.
	if limit := server.config.Limits.Subscriptions; s.socket.operations.exceed(limit) {
		leave()
		s.socket.errors(s.id, gqlerror.List{tooManySubscriptions(limit)})
		return false
	}
	if server.limiter.Take(userKey(ctx), server.config.Rate) > 0 {
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

// run sends events until the subscription is over.
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

// send sends data alone: clients take errors beside them for the end. A field that failed
// is null.
func (s *appSyncSubscription) send(data []byte) {
	buffer := takeBuffer()
	*buffer = wire.AppendData(*buffer, s.id, data)
	sent := false
	s.unlessOver(func() {
		s.socket.send(buffer)
		sent = true
	})
	if !sent {
		giveBuffer(buffer)
	}
}

func (s *appSyncSubscription) expire() { s.fail(unauthorized, "Token has expired.") }

func (s *appSyncSubscription) fail(errorType, message string) {
	if s.socket.operations.end(s.running) {
		s.socket.refuse(s.id, errorType, message)
	}
}
