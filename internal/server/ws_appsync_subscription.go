package server

import (
	"context"
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

// start starts a subscription, or reports why it cannot. It is fast: it only authenticates
// the caller and checks the request. Starts count as operations of the handshake's caller,
// who is known before anything is examined, and of their own if that is another.
func (a *appSync) start(m wire.Message) {
	switch {
	case m.ID == "":
		return // there is no way to respond
	case !a.acknowledged:
		a.refuse(m.ID, "BadRequestException", "send connection_init before start")
		return
	case !a.mayStart(a.caller):
		a.refuseLimited(m.ID)
		return
	}
	caller, forbidden := a.attempt(m)
	if forbidden {
		a.server.slowDown(a.ctx, a.caller)
		return
	}
	a.server.limiter.Spend(a.caller, a.server.tuned.Load().rate, 1)
	if caller != a.caller {
		a.server.limiter.Spend(caller, a.server.tuned.Load().rate, 1)
	}
}

// refuseLimited refuses a start because of the caller's rate limit, with a payload that old
// SDKs know. Like all errors, it ends a subscription with the id at the client.
func (a *appSync) refuseLimited(id string) {
	a.refuseWith(id, []byte(`{"errors":{"errorType":"LimitExceededError","message":"Rate limit exceeded"}}`))
}

// attempt handles the start of a caller who is within the rate limit. It returns the key of
// the start's own caller, or of the handshake's if that is unknown, and whether the caller
// may not subscribe to what they ask for.
func (a *appSync) attempt(m wire.Message) (caller string, forbidden bool) {
	data, authorization, err := wire.DecodeStart(m.Payload)
	if err != nil {
		a.refuse(m.ID, malformed, err.Error())
		return a.caller, false
	}
	if data == nil {
		a.unsupported(m.ID, "a start whose `payload.data` is not a JSON text is")
		return a.caller, false
	}
	request, err := wire.DecodeRequest([]byte(*data))
	if err != nil {
		a.refuse(m.ID, malformed, err.Error())
		return a.caller, false
	}
	headers := parseHeaders(authorization)
	ctx, err := a.server.identify(a.ctx, a.address, a.get(headers))
	var refused *refusal.Error
	if errors.As(err, &refused) {
		a.refuse(m.ID, unauthorized, refused.Text)
		return a.caller, false
	}
	if err != nil {
		a.refuse(m.ID, faulty, internalRejection.message)
		return a.caller, false
	}
	caller = callerKey(ctx)
	if caller != a.caller && !a.mayStart(caller) {
		a.refuseLimited(m.ID)
		return a.caller, false
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &appSyncSubscription{
		running:       &running{id: m.ID, asked: *data, caller: caller, cancel: cancel},
		socket:        a,
		authorization: headers["authorization"],
	}
	if !a.add(s) {
		cancel()
		return caller, false
	}
	errs := s.begin(ctx, &request)
	if errs != nil {
		a.operations.end(s.running, func() { a.errors(m.ID, errs) })
	}
	return caller, isForbidden(errs)
}

// add registers the id. Amplify repeats a start if it does not know whether the first one
// arrived; the repetition is acknowledged again, and its credentials replace earlier ones of
// the same caller.
func (a *appSync) add(s *appSyncSubscription) bool {
	if a.operations.add(s.running) {
		return true
	}
	if present := a.operations.find(s.id); present != nil && present.asked == s.asked && present.caller == s.caller {
		present.unlessOver(func() {
			present.listener.authorization.Store(&s.authorization)
			a.message(s.id, "start_ack", nil)
		})
		return false
	}
	a.refuse(s.id, "DuplicatedOperationError", "the id is in use by another subscription")
	return false
}

// stop ends a subscription. Unknown ids, which have failed or been stopped before, are
// ignored.
func (a *appSync) stop(id string) {
	if op := a.operations.find(id); op != nil {
		a.operations.end(op, func() { a.message(id, "complete", nil) })
	}
}

// begin starts the subscription, or returns why it has not started. That of an operation of
// another kind is sent here, in its own form.
func (s *appSyncSubscription) begin(ctx context.Context, request *wire.Request) gqlerror.List {
	server := s.socket.server
	op, errs := server.executor.Prepare(ctx, request)
	if errs != nil {
		return errs
	}
	if op.Kind() != ast.Subscription {
		s.socket.unsupported(s.id, "queries and mutations are")
		return nil
	}
	lost := func(reason string) {
		s.cancel() // without an error, after which some clients would not come back
		s.socket.lose(reason)
	}
	stream, leave, errs := server.subscribe(ctx, op, lost)
	if errs != nil {
		return errs
	}
	// This is checked last, because refused starts do not count towards the limit.
	if limit := server.config.Limits.Subscriptions; s.socket.operations.exceed(limit) {
		leave()
		return gqlerror.List{tooManySubscriptions(limit)}
	}
	s.listener = server.listen(s.authorization, s.expire, s.breakOff)
	s.socket.message(s.id, "start_ack", nil)
	go func() {
		defer leave()
		defer s.listener.stop()
		s.run(ctx, stream)
	}()
	return nil
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
	if ctx.Err() != nil {
		return
	}
	if errs := stream.Failed(); errs == nil {
		s.fail("ClientError", "ClientError: The subscription has ended")
	} else {
		s.socket.operations.end(s.running, func() { s.socket.errors(s.id, errs) })
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

func (s *appSyncSubscription) breakOff() { s.fail(faulty, internalRejection.message) }

func (s *appSyncSubscription) fail(errorType, message string) {
	s.socket.operations.end(s.running, func() {
		s.socket.message(s.id, "error", wire.AppendRefusal(nil, errorType, codeOf(errorType), message))
	})
}
