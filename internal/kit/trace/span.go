package trace

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	otel "go.opentelemetry.io/otel/trace"
)

// Tracer begins traces. A nil Tracer begins none: tracing is off.
type Tracer struct{ tracer otel.Tracer }

// NewTracer returns a Tracer whose spans are those of provider.
func NewTracer(provider otel.TracerProvider) *Tracer {
	on.Store(true)
	return &Tracer{provider.Tracer("stoa")}
}

// on is set once a Tracer has been made. Without one, no context can have a span, and looking
// for it would be all that tracing costs.
var on atomic.Bool

// Kind is the role of a span in a trace.
type Kind = otel.SpanKind

// Kinds of spans.
const (
	Internal = otel.SpanKindInternal
	Served   = otel.SpanKindServer
	Called   = otel.SpanKindClient
	Received = otel.SpanKindConsumer
)

type spanKey struct{}

// Span is a step of a trace. A nil Span belongs to none, and its methods do nothing.
type Span struct {
	tracer otel.Tracer
	// up is the step that this one is part of; nil at the beginning.
	up *Span
	// name and subject make the name of a span that begins as soon as it has a part.
	name, subject string
	began         time.Time

	mu    sync.Mutex
	span  otel.Span
	ended bool
}

// spanOf returns the span of ctx, or nil.
func spanOf(ctx context.Context) *Span {
	if !on.Load() {
		return nil
	}
	s, _ := ctx.Value(spanKey{}).(*Span)
	if s == nil || s.tracer == nil {
		return nil
	}
	return s
}

// Begin starts a step of the trace of ctx or, if ctx has none, a new trace, which the sampler
// may leave out.
func (t *Tracer) Begin(ctx context.Context, kind Kind, name, subject string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	if ctx.Value(spanKey{}) != nil { // also one that is left out
		return Start(ctx, kind, name, subject)
	}
	return t.begin(ctx, context.Background(), kind, name, subject)
}

// Continue starts a step of the trace that parent names in the form of the header traceparent;
// see Parent. If it names none, there is no step.
func (t *Tracer) Continue(ctx context.Context, parent string, kind Kind, name, subject string) (context.Context, *Span) {
	if t == nil || parent == "" {
		return ctx, nil
	}
	remote := traceContext.Extract(context.Background(), propagation.MapCarrier{traceParent: parent})
	if !otel.SpanContextFromContext(remote).IsValid() {
		return ctx, nil
	}
	return t.begin(ctx, remote, kind, name, subject)
}

func (t *Tracer) begin(ctx, parent context.Context, kind Kind, name, subject string) (context.Context, *Span) {
	_, span := t.tracer.Start(parent, named(name, subject), otel.WithSpanKind(kind))
	if !span.IsRecording() {
		return context.WithValue(ctx, spanKey{}, new(Span)), nil
	}
	s := &Span{tracer: t.tracer, span: span}
	return context.WithValue(ctx, spanKey{}, s), s
}

// Start starts a step of the trace of ctx, if it has one. Its name is the two texts with a
// space between; they are joined only if needed.
func Start(ctx context.Context, kind Kind, name, subject string) (context.Context, *Span) {
	up := spanOf(ctx)
	if up == nil {
		return ctx, nil
	}
	s := &Span{tracer: up.tracer, up: up}
	s.span = s.start(kind, named(name, subject))
	return context.WithValue(ctx, spanKey{}, s), s
}

// StartIfUsed is Start for a step that counts only if it has parts: one without is left out.
func StartIfUsed(ctx context.Context, name, subject string) (context.Context, *Span) {
	up := spanOf(ctx)
	if up == nil {
		return ctx, nil
	}
	s := &Span{tracer: up.tracer, up: up, name: name, subject: subject, began: time.Now()}
	return context.WithValue(ctx, spanKey{}, s), s
}

func (s *Span) start(kind Kind, name string, options ...otel.SpanStartOption) otel.Span {
	_, span := s.tracer.Start(otel.ContextWithSpan(context.Background(), s.up.begun()), name, append(options, otel.WithSpanKind(kind))...)
	return span
}

// begun returns the span of OpenTelemetry, which it begins if necessary.
func (s *Span) begun() otel.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.span == nil && s.ended: // what is late is part of the whole
		return s.up.begun()
	case s.span == nil:
		s.span = s.start(Internal, named(s.name, s.subject), otel.WithTimestamp(s.began))
	}
	return s.span
}

func named(name, subject string) string {
	if subject == "" {
		return name
	}
	return name + " " + subject
}

// In returns ctx as a context of this step, which may belong to other work than ctx does.
func (s *Span) In(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, spanKey{}, s)
}

// Set adds an attribute, by its name in the semantic conventions of OpenTelemetry if it has one.
func (s *Span) Set(name, value string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.span != nil {
		s.span.SetAttributes(attribute.String(name, value))
	}
}

// SetInt is Set for a number.
func (s *Span) SetInt(name string, value int) {
	if s != nil {
		s.begun().SetAttributes(attribute.Int(name, value))
	}
}

// Rename replaces the name.
func (s *Span) Rename(name string) {
	if s != nil {
		s.begun().SetName(name)
	}
}

// Fail marks the step as failed. The reason is a class of errors: their texts may contain what
// users have written.
func (s *Span) Fail(reason string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.span != nil {
		s.span.SetStatus(codes.Error, reason)
	}
}

// End ends the step.
func (s *Span) End() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.span != nil {
		s.span.End()
	}
}

var traceContext propagation.TraceContext

const traceParent = "traceparent"

// Parent returns the place in a trace that ctx has reached, in the form of the header
// traceparent (https://www.w3.org/TR/trace-context/), or "".
func Parent(ctx context.Context) string {
	s := spanOf(ctx)
	if s == nil {
		return ""
	}
	place := propagation.MapCarrier{}
	traceContext.Inject(otel.ContextWithSpan(context.Background(), s.begun()), place)
	return place[traceParent]
}

// IDs returns the ids of the trace and the span of ctx, or "".
func IDs(ctx context.Context) (trace, span string) {
	s := spanOf(ctx)
	if s == nil {
		return "", ""
	}
	c := s.begun().SpanContext()
	return c.TraceID().String(), c.SpanID().String()
}
