package server

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/after"
	"stoa/internal/kit/bus"
	"stoa/internal/server/operation"
	"stoa/internal/server/wire"
)

// stream sends the results of one operation as server-sent events, followed by "complete".
// Subscriptions end without it when the server shuts down, their credentials become invalid
// or they have missed events, so that clients reconnect.
func (e *endpoint) stream(
	ctx context.Context, w http.ResponseWriter, r *http.Request, request *wire.Request, op *operation.Operation, once *once, errs gqlerror.List,
) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if errs == nil && op.Kind() == ast.Subscription {
		e.streamEvents(ctx, cancel, w, r, request, op)
		return
	}
	events := e.openEvents(w, cancel)
	defer events.close()
	if errs != nil {
		events.next(nil, errs)
		events.complete()
		return
	}
	if op.Kind() == ast.Mutation {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, finish := after.Scope(ctx)
	defer e.postponed.release(finish)
	events.answer(ctx, op, once)
	events.complete()
}

// streamEvents sends the events of a subscription. The response starts once it has started:
// nothing is missed by who has seen the header.
func (e *endpoint) streamEvents(
	ctx context.Context, cancel context.CancelFunc, w http.ResponseWriter, r *http.Request, request *wire.Request, op *operation.Operation,
) {
	defer e.listen(header(r.Header, "Authorization"), cancel, cancel).stop()
	defer context.AfterFunc(e.draining, cancel)()
	ctx, trail := bus.WithTrail(ctx, since(r, request))
	stream, leave, errs := e.subscribe(ctx, op, func(string) { cancel() })
	events := e.openEvents(w, cancel)
	defer events.close()
	if errs != nil {
		events.next(nil, errs)
		events.complete()
		if isForbidden(errs) {
			e.limiter.Return(callerKey(ctx), e.tuned.Load().rate)
			e.slowDown(ctx, callerKey(ctx))
		}
		return
	}
	defer leave()
	if cursor, gap := trail.Gap(); gap {
		events.event(cursor, func(dst []byte) []byte { return wire.AppendGap(dst, "") })
	}
	for {
		result, more := stream.Next()
		if !more {
			break
		}
		events.event(trail.Take(), func(dst []byte) []byte {
			return wire.AppendEvent(dst, result.Data, result.Errors, slices.ContainsFunc(result.Errors, isFault), "")
		})
	}
	if ctx.Err() != nil {
		return
	}
	if errs := stream.Failed(); errs != nil {
		events.next(nil, errs)
	}
	events.complete()
}

// since returns the cursor where a client resumes a subscription, or nil. Browsers send it by
// themselves when they open a stream again.
func since(r *http.Request, request *wire.Request) *string {
	if last := header(r.Header, "Last-Event-Id"); last != "" {
		return &last
	}
	return request.Since
}

// eventWriter writes one event stream. It is locked because the keep-alive timer also
// writes; nothing is written after close.
type eventWriter struct {
	w         http.ResponseWriter
	control   *http.ResponseController
	cancel    context.CancelFunc
	keepAlive *time.Timer
	limits    Limits

	mu     sync.Mutex
	closed bool
}

// openEvents starts the stream. Cancel is called if the client cannot be reached.
func (s *Server) openEvents(w http.ResponseWriter, cancel context.CancelFunc) *eventWriter {
	header := w.Header()
	header["Content-Type"] = contentTypes[eventStream]
	header.Set("Cache-Control", "no-cache")
	header.Set("Connection", "keep-alive")
	header.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	e := &eventWriter{w: w, control: http.NewResponseController(w), cancel: cancel, limits: s.config.Limits}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.keepAlive = time.AfterFunc(e.limits.KeepAlive, e.comment)
	e.writeLocked([]byte(":\n\n"))
	return e
}

// complete sends the last event.
func (e *eventWriter) complete() { e.write("event: complete\ndata:\n\n") }

// comment sends a keep-alive that clients ignore and proxies count as traffic.
func (e *eventWriter) comment() { e.write(":\n\n") }

// answer executes a query or mutation and sends its result as an event.
func (e *eventWriter) answer(ctx context.Context, op *operation.Operation, once *once) {
	e.event("", func(dst []byte) []byte {
		answer, refused := once.append(ctx, op, dst)
		if refused != nil {
			return wire.AppendResult(dst, nil, refused.errors())
		}
		return answer
	})
}

func (e *eventWriter) next(data []byte, errs gqlerror.List) {
	e.event("", func(dst []byte) []byte { return wire.AppendResult(dst, data, errs) })
}

// event sends the output of appendAnswer, with an id unless it is "". Other writers wait only
// for the writing.
func (e *eventWriter) event(id string, appendAnswer func([]byte) []byte) {
	buffer := takeBuffer()
	defer giveBuffer(buffer)
	b := *buffer
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = appendAnswer(append(b, "event: next\ndata: "...))
	*buffer = append(b, "\n\n"...)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writeLocked(*buffer)
}

func (e *eventWriter) write(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.writeLocked([]byte(text))
}

func (e *eventWriter) writeLocked(b []byte) {
	if e.closed {
		return
	}
	e.keepAlive.Reset(e.limits.KeepAlive)
	e.control.SetWriteDeadline(time.Now().Add(e.limits.Write))
	_, err := e.w.Write(b)
	if err == nil {
		err = e.control.Flush()
	}
	if err != nil {
		e.cancel()
	}
}

func (e *eventWriter) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.keepAlive.Stop()
	e.control.SetWriteDeadline(time.Time{})
}
