package outbox

import (
	"context"
	"slices"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"stoa/internal/kit/trace"
)

func tracer() (*trace.Tracer, *tracetest.SpanRecorder) {
	r := tracetest.NewSpanRecorder()
	return trace.NewTracer(sdk.NewTracerProvider(sdk.WithSpanProcessor(r))), r
}

// An event that another process delivers, perhaps later, is a step of the trace that caused it.
func TestTraceOfAnEventThatAnotherProcessDelivers(t *testing.T) {
	w := newWorld()
	here, causing := tracer()
	there, delivering := tracer()
	ctx, root := here.Begin(t.Context(), trace.Served, "POST", "/graphql")
	record := NewRecord(ctx, moved{"ana", "1"}, "1", w.now)
	root.End()
	record.event = nil // as it is read from the store
	record.Shard = int(hash("ana") % Shards)
	w.shards[record.Shard] = append(w.shards[record.Shard], record)

	d := w.dispatcher("other", func(ctx context.Context, _ moved, _ Tell) error {
		_, span := trace.Start(ctx, trace.Called, "PutItem", "feed")
		span.End()
		return nil
	})
	d.Tracer = there
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	cause := causing.Ended()[0].SpanContext()
	var names []string
	for _, s := range delivering.Ended() {
		names = append(names, s.Name())
		if s.SpanContext().TraceID() != cause.TraceID() {
			t.Errorf("%s has a trace of its own", s.Name())
		}
		if s.Name() == "deliver moved" && s.Parent().SpanID() != cause.SpanID() {
			t.Errorf("the delivery is not a step of its cause")
		}
	}
	want := []string{"PutItem feed", "receive outbox.TestTraceOfAnEventThatAnotherProcessDelivers.func1", "deliver moved"}
	if !slices.Equal(names, want) {
		t.Errorf("the spans are %q, want %q", names, want)
	}
}

// The rest of a fan-out is a step of the same trace, and so are the events of its receiver.
func TestTraceOfALane(t *testing.T) {
	w := newWorld()
	tracer, spans := tracer()
	ctx, root := tracer.Begin(t.Context(), trace.Served, "POST", "/graphql")
	record := NewRecord(ctx, moved{"ana", "1"}, "1", w.now)
	root.End()
	l := Lane{Record: record, Name: "feed", Cursor: "a"}
	l.event = nil
	w.lanes[l.id()] = l

	d := w.dispatcher("other")
	FanOut(d, "feed", func(ctx context.Context, _ moved, cursor string, _ Tell) (string, int, error) {
		if caused := NewRecord(ctx, moved{"ben", "2"}, "2", w.now); caused.Trace == "" || caused.Trace == record.Trace {
			t.Errorf("an event of the receiver is caused at %q", caused.Trace)
		}
		return "", 1, nil
	})
	d.Tracer = tracer
	if err := d.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := spans.Ended()
	if last := all[len(all)-1]; len(all) != 3 || last.Name() != "fan out moved" || last.Parent().SpanID() != all[0].SpanContext().SpanID() {
		t.Errorf("%d spans, the last is %s", len(all), last.Name())
	}
}

// Without a tracer, events have no trace, and those with one are delivered like others.
func TestEventsAreDeliveredWithoutTracing(t *testing.T) {
	w := newWorld()
	if r := NewRecord(t.Context(), moved{"ana", "1"}, "1", w.now); r.Trace != "" {
		t.Errorf("the event is caused at %q", r.Trace)
	}
	var got []string
	d := w.dispatcher("p", noting(&got))
	records := w.commit("ana", "1")
	records[0].Trace = "00-0102030405060708090a0b0c0d0e0f10-0102030405060708-01"
	d.Committed(t.Context(), records...)
	equal(t, "delivered", got, "1")
}
