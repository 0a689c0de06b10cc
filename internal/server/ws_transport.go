package server

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
	"stoa/internal/kit/refusal"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// transport speaks graphql-transport-ws on one socket.
type transport struct {
	*socket
	// viewer is the context of operations, with whoever the socket belongs to; nil
	// until the socket is initialised. Only the reading goroutine touches it.
	viewer context.Context

	mu         sync.Mutex
	operations map[string]*running
}

// running is an operation between its subscribe and its end.
type running struct {
	id     string
	cancel context.CancelFunc
	// over is set once nothing more may be sent for it.
	over atomic.Bool
}

// serve reads messages until the socket closes.
func (t *transport) serve() {
	initTimeout := time.AfterFunc(t.server.config.Limits.Init, func() {
		t.close(closeInitTimeout, "Connection initialisation timeout")
	})
	defer initTimeout.Stop()
	for {
		kind, frame, err := t.conn.Read(t.ctx)
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

// handle reports whether the socket lives on.
func (t *transport) handle(m wire.Message) bool {
	switch m.Type {
	case "connection_init":
		return t.initialise(m)
	case "ping":
		return t.send("", "pong", m.Payload)
	case "pong":
		return true
	case "subscribe":
		return t.subscribe(m)
	case "complete":
		t.complete(m.ID)
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
	viewer, err := t.server.identify(t.ctx, t.credentials(payload))
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
	return t.send("", "connection_ack", nil)
}

// credentials looks names up in the payload, which browsers can fill, and then in
// the headers of the handshake, which only other clients can.
func (t *transport) credentials(payload map[string]any) func(string) string {
	given := map[string]string{}
	for name, value := range payload {
		if text, ok := value.(string); ok {
			given[textproto.CanonicalMIMEHeaderKey(name)] = text
		}
	}
	return func(name string) string {
		if value, ok := given[name]; ok {
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
	switch t.register(op) {
	case nil:
		go t.run(ctx, op, &request)
		return true
	case errDuplicate:
		cancel()
		t.close(closeDuplicateSubscriber, "Subscriber for "+m.ID+" already exists")
		return false
	default:
		cancel()
		return t.sendErrors(m.ID, gqlerror.List{wire.NewError("MaxSubscriptionsReachedError", "TOO_MANY_OPERATIONS",
			fmt.Sprintf("Max number of %d subscriptions reached", t.server.config.Limits.Subscriptions))})
	}
}

var (
	errDuplicate = errors.New("id is in use")
	errTooMany   = errors.New("too many operations")
)

// register makes the id known before the next message is read.
func (t *transport) register(op *running) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.operations[op.id] != nil {
		return errDuplicate
	}
	if len(t.operations) >= t.server.config.Limits.Subscriptions {
		return errTooMany
	}
	t.operations[op.id] = op
	return nil
}

// complete ends what the client wants no more of; unknown ids are late, not wrong.
func (t *transport) complete(id string) {
	t.mu.Lock()
	op := t.operations[id]
	t.mu.Unlock()
	if op != nil {
		t.release(op)
	}
}

// release frees the id. It reports false if somebody else was first, who then has
// the last word to the client.
func (t *transport) release(op *running) bool {
	if op.over.Swap(true) {
		return false
	}
	t.mu.Lock()
	delete(t.operations, op.id)
	t.mu.Unlock()
	op.cancel()
	return true
}

// run executes one operation and ends it with complete, or with error if it never
// began.
func (t *transport) run(ctx context.Context, op *running, request *wire.Request) {
	if t.server.limiter.Take(userKey(ctx), t.server.config.Rate) > 0 {
		t.fail(op, gqlerror.List{errRateLimited})
		return
	}
	prepared, errs := t.server.executor.Prepare(ctx, request)
	switch {
	case errs != nil:
		t.fail(op, errs)
	case prepared.Kind() == ast.Subscription:
		t.runSubscription(ctx, op, prepared)
	default:
		t.runSingle(ctx, op, prepared)
	}
}

func (t *transport) runSubscription(ctx context.Context, op *running, prepared *operation.Operation) {
	stream, errs := prepared.Subscribe(ctx)
	if errs != nil {
		t.fail(op, errs)
		return
	}
	defer stream.Close()
	for {
		result, more := stream.Next()
		if !more {
			break
		}
		t.next(op, func(dst []byte) []byte { return wire.AppendResult(dst, result.Data, result.Errors) })
	}
	if ctx.Err() == nil && t.release(op) {
		t.send(op.id, "complete", nil)
	}
}

func (t *transport) runSingle(ctx context.Context, op *running, prepared *operation.Operation) {
	if !t.begin() {
		t.release(op)
		return
	}
	defer t.done()
	ctx, finish := after.Scope(ctx)
	t.next(op, func(dst []byte) []byte { return prepared.Append(ctx, dst) })
	if t.release(op) {
		t.send(op.id, "complete", nil)
	}
	t.server.postponed.release(finish)
}

// next sends the answer that appendAnswer appends, unless the operation is over by then.
func (t *transport) next(op *running, appendAnswer func([]byte) []byte) {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	*buffer = wire.AppendNext(*buffer, op.id, appendAnswer)
	if !op.over.Load() {
		t.write(*buffer)
	}
}

func (t *transport) fail(op *running, errs gqlerror.List) {
	if t.release(op) {
		t.sendErrors(op.id, errs)
	}
}

func (t *transport) sendErrors(id string, errs gqlerror.List) bool {
	return t.send(id, "error", wire.AppendErrors(nil, errs))
}

// send reports whether the message went out.
func (t *transport) send(id, messageType string, payload []byte) bool {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	*buffer = wire.AppendMessage(*buffer, id, messageType, payload)
	return t.write(*buffer) == nil
}
