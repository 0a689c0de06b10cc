package server

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
	"stoa/internal/kit/bus"
	"stoa/internal/kit/refusal"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// transport implements graphql-transport-ws on one socket.
type transport struct {
	*socket
	operations operations
	// viewer is the context of operations, with the user of the socket; nil until the
	// socket is initialised. It is only used by the reading goroutine.
	viewer context.Context
	// forget stops rechecking the credentials.
	forget func()
}

// serve reads messages until the socket is closed.
func (t *transport) serve() {
	initTimeout := time.AfterFunc(t.server.config.Limits.Init, func() {
		t.close(closeInitTimeout, "Connection initialisation timeout")
	})
	defer initTimeout.Stop()
	defer func() { t.forget() }()
	for {
		kind, frame, err := t.conn.Read(context.Background())
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			t.close(closeInvalidMessage, "messages must be text")
			return
		}
		message, err := wire.DecodeMessage(frame)
		if err != nil {
			t.close(closeInvalidMessage, err.Error())
			return
		}
		if message.Type == "connection_init" {
			initTimeout.Stop()
		}
		if !t.handle(message) {
			return
		}
	}
}

// handle reports whether the socket remains open.
func (t *transport) handle(m wire.Message) bool {
	switch m.Type {
	case "connection_init":
		return t.initialise(m)
	case "ping", "pong":
		// Clients close a connection on a pong whose payload is not an object: none is echoed.
		if _, err := wire.DecodeObject(m.Payload); err != nil {
			t.close(closeInvalidMessage, "`payload` of "+m.Type+" must be an object")
			return false
		}
		if m.Type == "ping" {
			t.message("", "pong", m.Payload)
		}
		return true
	case "subscribe":
		return t.subscribe(m)
	case "complete":
		if m.ID == "" {
			t.close(closeInvalidMessage, "`id` of complete is missing")
			return false
		}
		if op := t.operations.find(m.ID); op != nil { // others are just late
			t.operations.end(op, noMessage)
		}
		return true
	}
	t.close(closeInvalidMessage, "unknown message type `"+m.Type+"`")
	return false
}

func (t *transport) initialise(m wire.Message) bool {
	if t.viewer != nil {
		t.close(closeTooManyInitialisings, "Too many initialisation requests")
		return false
	}
	payload, err := wire.DecodeObject(m.Payload)
	if err != nil {
		t.close(closeInvalidMessage, "`payload` of connection_init must be an object")
		return false
	}
	get := t.credentials(headersOf(payload))
	viewer, err := t.server.identify(t.ctx, t.address, get)
	var refused *refusal.Error
	switch {
	case errors.As(err, &refused):
		t.close(closeForbidden, "Forbidden")
		return false
	case err != nil:
		t.close(closeInternalError, "Internal server error")
		return false
	}
	t.viewer = viewer
	t.conn.SetReadLimit(t.server.bodyBytes(viewer))
	t.forget = t.server.listen(get("Authorization"),
		func() { t.leave(closeForbidden, "Forbidden") }, // clients come back after it, with a fresh token
		func() { t.close(closeInternalError, "Internal server error") }).stop
	t.message("", "connection_ack", nil)
	return true
}

// credentials returns a lookup of headers in those of the payload, which browsers can set, and then
// in the handshake, which only other clients can.
func (t *transport) credentials(given headers) func(string) string {
	return func(name string) string {
		if value, ok := given[strings.ToLower(name)]; ok {
			return value
		}
		return t.header.Get(name)
	}
}

func (t *transport) subscribe(m wire.Message) bool {
	if t.viewer == nil {
		t.close(closeUnauthorized, "Unauthorized")
		return false
	}
	if m.ID == "" {
		t.close(closeInvalidMessage, "`id` of subscribe is missing")
		return false
	}
	request, err := wire.DecodeRequest(m.Payload)
	if err != nil {
		t.close(closeInvalidMessage, "`payload` of subscribe: "+err.Error())
		return false
	}
	ctx, cancel := context.WithCancel(t.viewer)
	op := &running{id: m.ID, cancel: cancel}
	if !t.operations.add(op) {
		cancel()
		t.close(closeDuplicateSubscriber, "Subscriber for "+m.ID+" already exists")
		return false
	}
	t.begin(ctx, op, &request)
	return true
}

// begin begins an operation of a caller who is within the rate limit.
func (t *transport) begin(ctx context.Context, op *running, request *wire.Request) {
	caller := callerKey(ctx)
	if !t.mayStart(caller) {
		t.fail(op, gqlerror.List{errRateLimited})
		return
	}
	if forbidden := t.attempt(ctx, op, request); forbidden {
		t.server.slowDown(t.ctx, caller)
		return
	}
	t.server.limiter.Spend(caller, t.server.tuned.Load().rate, 1)
}

// attempt checks one operation and starts it. A subscription has started before the next
// message is read, so that it receives events caused by the client's next operation. Attempt
// reports whether it is one that the caller may not start.
func (t *transport) attempt(ctx context.Context, op *running, request *wire.Request) (forbidden bool) {
	prepared, errs := t.server.executor.Prepare(ctx, request)
	if errs != nil {
		t.fail(op, errs)
		return false
	}
	limit := t.server.config.Limits.Subscriptions
	full := gqlerror.List{tooManySubscriptions(limit)}
	if prepared.Kind() != ast.Subscription {
		if t.operations.exceed(limit) {
			t.fail(op, full)
			return false
		}
		var once *once
		if prepared.Kind() == ast.Mutation {
			var refused *rejection
			if once, refused = t.server.once(ctx, nil, request, prepared); refused != nil {
				t.fail(op, refused.errors())
				return false
			}
		}
		t.server.workers.run(func() { t.runSingle(ctx, op, prepared, once) })
		return false
	}
	lost := func(reason string) {
		op.cancel() // without a complete, after which its client would not come back
		t.lose(reason)
	}
	ctx, trail := bus.WithTrail(ctx, request.Since)
	stream, leave, errs := t.server.subscribe(ctx, prepared, lost)
	if errs != nil {
		t.fail(op, errs)
		return isForbidden(errs)
	}
	if t.operations.exceed(limit) {
		leave()
		t.fail(op, full)
		return false
	}
	go func() {
		defer leave()
		t.runSubscription(ctx, op, stream, trail)
	}()
	return false
}

// runSubscription sends events until the subscription ends.
func (t *transport) runSubscription(ctx context.Context, op *running, stream *operation.Stream, trail *bus.Trail) {
	if cursor, gap := trail.Gap(); gap {
		t.sendFor(op, nextOf(op, func(dst []byte) []byte { return wire.AppendGap(dst, cursor) }))
	}
	for {
		result, more := stream.Next()
		if !more {
			break
		}
		cursor := trail.Take()
		t.sendFor(op, nextOf(op, func(dst []byte) []byte {
			return wire.AppendEvent(dst, result.Data, result.Errors, slices.ContainsFunc(result.Errors, isFault), cursor)
		}))
	}
	if ctx.Err() != nil {
		return
	}
	if errs := stream.Failed(); errs != nil {
		t.fail(op, errs)
	} else {
		t.operations.end(op, func() { t.message(op.id, "complete", nil) })
	}
}

// runSingle executes a query or mutation. A mutation runs to completion even if the client
// disconnects; its postponed effects happen after its response has been written. So does the
// end of its turn: a client that does not read has few operations executed.
func (t *transport) runSingle(ctx context.Context, op *running, prepared *operation.Operation, once *once) {
	if !t.work() {
		t.operations.end(op, noMessage)
		return
	}
	if prepared.Kind() == ast.Mutation {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, finish := after.Scope(ctx)
	var refused *rejection
	var turn operation.Turn
	answer := nextOf(op, func(dst []byte) []byte {
		dst, turn, refused = once.appendInTurn(ctx, prepared, dst)
		return dst
	})
	t.out.hold()
	if refused != nil {
		giveBuffer(answer)
		t.fail(op, refused.errors())
	} else {
		t.sendFor(op, answer)
	}
	t.operations.end(op, func() { t.message(op.id, "complete", nil) })
	t.out.release(func() {
		turn.End()
		effects := func() {
			t.server.postponed.release(finish)
			t.done()
		}
		if prepared.Kind() == ast.Mutation {
			go effects() // they may wait for those of a mutation whose answer follows on this socket
		} else {
			effects()
		}
	})
}

// nextOf returns the message with an answer of an operation.
func nextOf(op *running, appendAnswer func([]byte) []byte) *[]byte {
	buffer := takeBuffer()
	*buffer = wire.AppendNext(*buffer, op.id, appendAnswer)
	return buffer
}

func (t *transport) fail(op *running, errs gqlerror.List) {
	t.operations.end(op, func() { t.errors(op.id, errs) })
}

func (t *transport) errors(id string, errs gqlerror.List) {
	t.message(id, "error", wire.AppendErrors(nil, errs))
}
