// Package otlp exports traces by OTLP over HTTP, or as lines for a file, in both cases as JSON.
//
// The exporter of OpenTelemetry would add gRPC to the program, which it does not use.
package otlp

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The messages of OTLP, as its protobuf definitions map to JSON: ids are in hexadecimal, and
// 64-bit numbers are strings.
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   attributes   `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	attributes struct {
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID      string     `json:"traceId"`
		SpanID       string     `json:"spanId"`
		ParentSpanID string     `json:"parentSpanId,omitempty"`
		Flags        uint32     `json:"flags,omitempty"`
		Name         string     `json:"name"`
		Kind         int        `json:"kind"`
		Start        string     `json:"startTimeUnixNano"`
		End          string     `json:"endTimeUnixNano"`
		Attributes   []keyValue `json:"attributes,omitempty"`
		Status       status     `json:"status"`
	}
	status struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code,omitempty"`
	}
	keyValue struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		String *string `json:"stringValue,omitempty"`
		Int    *string `json:"intValue,omitempty"`
	}
)

// encode returns a request with spans, which have one resource and one scope.
func encode(of *resource.Resource, spans []sdk.ReadOnlySpan) ([]byte, error) {
	group := scopeSpans{Spans: make([]span, len(spans))}
	for i, s := range spans {
		group.Scope.Name = s.InstrumentationScope().Name
		group.Spans[i] = spanOf(s)
	}
	return json.Marshal(request{[]resourceSpans{{attributes{keyValues(of.Attributes())}, []scopeSpans{group}}}})
}

func spanOf(s sdk.ReadOnlySpan) span {
	at := s.SpanContext()
	out := span{
		TraceID: at.TraceID().String(), SpanID: at.SpanID().String(), Flags: uint32(at.TraceFlags()),
		Name: s.Name(), Kind: kindOf(s.SpanKind()), Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()),
		Attributes: keyValues(s.Attributes()),
	}
	if up := s.Parent().SpanID(); up.IsValid() {
		out.ParentSpanID = hex.EncodeToString(up[:])
	}
	if s.Status().Code == codes.Error {
		out.Status = status{s.Status().Description, 2}
	}
	return out
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

// kindOf returns a kind in the numbers of OTLP.
func kindOf(k trace.SpanKind) int {
	switch k {
	case trace.SpanKindServer:
		return 2
	case trace.SpanKindClient:
		return 3
	case trace.SpanKindProducer:
		return 4
	case trace.SpanKindConsumer:
		return 5
	}
	return 1
}

// keyValues encodes what package trace and the resource have: texts and integers.
func keyValues(all []attribute.KeyValue) []keyValue {
	out := make([]keyValue, len(all))
	for i, a := range all {
		text := a.Value.String()
		out[i].Key = string(a.Key)
		if a.Value.Type() == attribute.INT64 {
			out[i].Value.Int = &text
		} else {
			out[i].Value.String = &text
		}
	}
	return out
}
