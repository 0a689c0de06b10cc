package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/refusal"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// appSyncSubscription is one subscription of an AppSync socket, with its own credentials.
type appSyncSubscription struct {
	*running
	socket        *appSync
	authorization string
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
