package trace_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"stoa/internal/kit/trace"
)

func recorder(options ...sdk.TracerProviderOption) (*trace.Tracer, *tracetest.SpanRecorder) {
	r := tracetest.NewSpanRecorder()
	return trace.NewTracer(sdk.NewTracerProvider(append(options, sdk.WithSpanProcessor(r))...)), r
}

// names returns the names of the ended spans, each with that of its parent.
func names(r *tracetest.SpanRecorder) (all []string) {
	named := map[string]string{}
	for _, s := range r.Ended() {
		named[s.SpanContext().SpanID().String()] = s.Name()
	}
	for _, s := range r.Ended() {
		name := s.Name()
		if up := named[s.Parent().SpanID().String()]; up != "" {
			name = up + " > " + name
		}
		all = append(all, name)
	}
	return all
}

func TestSpans(t *testing.T) {
	tracer, r := recorder()
	ctx, request := tracer.Begin(t.Context(), trace.Served, "GET", "/a")
	reads, field := trace.StartIfUsed(ctx, "User", "feed")
	_, idle := trace.StartIfUsed(reads, "Post", "text")
	_, call := trace.Start(reads, trace.Called, "Query", "main")
	call.Fail("throttled")
	call.End()
	idle.End()
	field.End()
	_, late := trace.Start(context.WithoutCancel(ctx), trace.Internal, "late", "")
	request.End()
	late.End()
	if got, want := strings.Join(names(r), "\n"), "User feed > Query main\nGET /a > User feed\nGET /a\nGET /a > late"; got != want {
		t.Errorf("spans:\n%s\nwant\n%s", got, want)
	}
	if status := r.Ended()[0].Status().Description; status != "throttled" {
		t.Errorf("the call has failed as %q", status)
	}
}

// A step that ends without parts is left out; what follows it late is part of the whole.
func TestPartsOfWhatHasEnded(t *testing.T) {
	tracer, r := recorder()
	ctx, whole := tracer.Begin(t.Context(), trace.Internal, "whole", "")
	step, field := trace.StartIfUsed(ctx, "a", "step")
	field.End()
	_, late := trace.Start(step, trace.Internal, "late", "")
	late.End()
	whole.End()
	if got, want := strings.Join(names(r), ", "), "whole > late, whole"; got != want {
		t.Errorf("spans %s, want %s", got, want)
	}
}

func TestTraceContinuesElsewhere(t *testing.T) {
	here, first := recorder()
	there, second := recorder()
	ctx, span := here.Begin(t.Context(), trace.Internal, "here", "")
	parent := trace.Parent(ctx)
	span.End()
	ctx, span = there.Continue(t.Context(), parent, trace.Received, "there", "")
	traceID, spanID := trace.IDs(ctx)
	span.End()
	a, b := first.Ended()[0], second.Ended()[0]
	if b.Parent().SpanID() != a.SpanContext().SpanID() || traceID != a.SpanContext().TraceID().String() || spanID != b.SpanContext().SpanID().String() {
		t.Errorf("%v does not continue %v", b, a)
	}
	for _, bad := range []string{"", "00", "00-00000000000000000000000000000000-0000000000000000-01"} {
		if ctx, span := there.Continue(t.Context(), bad, trace.Received, "there", ""); span != nil || trace.On(ctx) {
			t.Errorf("%q is continued", bad)
		}
	}
}

// What the sampler leaves out has no steps, and no place that others could continue.
func TestTraceThatIsLeftOut(t *testing.T) {
	tracer, r := recorder(sdk.WithSampler(sdk.NeverSample()))
	ctx, span := tracer.Begin(t.Context(), trace.Served, "GET", "/a")
	again, inner := tracer.Begin(ctx, trace.Internal, "query", "self")
	if span != nil || inner != nil || trace.On(again) || trace.Parent(again) != "" || len(r.Started()) > 0 {
		t.Error("it is recorded")
	}
}

func TestLogHasTheTrace(t *testing.T) {
	tracer, _ := recorder()
	var lines bytes.Buffer
	log := slog.New(trace.Logged(slog.NewTextHandler(&lines, nil))).With("system", "social")
	ctx, span := tracer.Begin(t.Context(), trace.Served, "GET", "/a")
	defer span.End()
	traceID, spanID := trace.IDs(ctx)
	log.InfoContext(ctx, "with")
	log.InfoContext(t.Context(), "without")
	with, without, _ := strings.Cut(lines.String(), "\n")
	if !strings.HasSuffix(with, "system=social trace_id="+traceID+" span_id="+spanID) || strings.Contains(without, "trace_id") {
		t.Errorf("logged:\n%s", &lines)
	}
}

// Off tracing costs no memory, wherever it would be.
func TestTracingOffAllocatesNothing(t *testing.T) {
	ctx := context.WithValue(t.Context(), struct{}{}, 1)
	var none *trace.Tracer
	if n := testing.AllocsPerRun(100, func() { untraced(ctx, none) }); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func untraced(ctx context.Context, none *trace.Tracer) {
	ctx, request := none.Begin(ctx, trace.Served, "POST", "/graphql")
	ctx, event := none.Continue(ctx, "", trace.Received, "deliver", "post.added")
	ctx, field := trace.StartIfUsed(ctx, "Query", "self")
	_, call := trace.Start(ctx, trace.Called, "GetItem", "main")
	call.Set("db.operation.name", "GetItem")
	call.Fail("throttled")
	call.End()
	field.End()
	event.End()
	request.SetInt("status", len(trace.Parent(ctx)))
	request.End()
}

func BenchmarkTracingOff(b *testing.B) {
	ctx := context.WithValue(b.Context(), struct{}{}, 1)
	b.ReportAllocs()
	for b.Loop() {
		untraced(ctx, nil)
	}
}

func BenchmarkTracingOn(b *testing.B) {
	tracer := trace.NewTracer(sdk.NewTracerProvider())
	b.ReportAllocs()
	for b.Loop() {
		untraced(b.Context(), tracer)
	}
}
