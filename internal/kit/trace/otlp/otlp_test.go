package otlp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"stoa/internal/kit/trace"
	"stoa/internal/kit/trace/otlp"
)

func environment(all map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { value, ok := all[name]; return value, ok }
}

func TestTracingIsOffUnlessAskedFor(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		on   bool
	}{
		{"nothing is set", nil, false},
		{"an endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, true},
		{"an endpoint of traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1/x"}, true},
		{"an exporter", map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, true},
		{"no exporter", map[string]string{"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, false},
		{"disabled", map[string]string{"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "otlp"}, false},
		{"a name alone", map[string]string{"OTEL_SERVICE_NAME": "app"}, false},
	} {
		tracer, end, err := otlp.Open(otlp.Config{LookupEnv: environment(c.env)})
		if err != nil || (tracer != nil) != c.on {
			t.Errorf("%s: %v, error %v", c.name, tracer, err)
			continue
		}
		if err := end(t.Context()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestVariablesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ variable, value, want string }{
		"exporter": {"OTEL_TRACES_EXPORTER", "zipkin", "write otlp, console or none"},
		"endpoint": {"OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "write one like http://localhost:4318"},
		"protocol": {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/json"},
		"headers":  {"OTEL_EXPORTER_OTLP_HEADERS", "secret", "NAME=VALUE"},
		"timeout":  {"OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "milliseconds"},
		"sampler":  {"OTEL_TRACES_SAMPLER", "some", "traceidratio"},
		"ratio":    {"OTEL_TRACES_SAMPLER_ARG", "2", "between 0 and 1"},
		"resource": {"OTEL_RESOURCE_ATTRIBUTES", "a", "NAME=VALUE"},
	} {
		env := map[string]string{"OTEL_TRACES_EXPORTER": "otlp", "OTEL_TRACES_SAMPLER": "traceidratio", c.variable: c.value}
		_, _, err := otlp.Open(otlp.Config{LookupEnv: environment(env)})
		if err == nil || !strings.HasPrefix(err.Error(), c.variable+": ") || !strings.Contains(err.Error(), c.want) || c.value == "secret" && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// record makes a trace of two spans.
func record(t *testing.T, tracer *trace.Tracer) {
	ctx, root := tracer.Begin(t.Context(), trace.Served, "POST", "/graphql")
	_, call := trace.Start(ctx, trace.Called, "GetItem", "main")
	call.Set("db.operation.name", "GetItem")
	call.Fail("throttled")
	call.End()
	root.SetInt("http.response.status_code", 200)
	root.End()
}

func TestSpansReachACollector(t *testing.T) {
	var tries atomic.Int64
	bodies := make(chan []byte, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/in/v1/traces" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("api-key") != "a b" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		bodies <- body
	}))
	defer s.Close()
	tracer, end, err := otlp.Open(otlp.Config{Version: "v1", Instance: "i", LookupEnv: environment(map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": s.URL + "/in/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b", "OTEL_SERVICE_NAME": "app",
		"OTEL_RESOURCE_ATTRIBUTES": "service.name=other,deployment.environment.name=test",
	})})
	if err != nil {
		t.Fatal(err)
	}
	record(t, tracer)
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, <-bodies, map[string]string{
		"service.name": "app", "service.version": "v1", "service.instance.id": "i", "deployment.environment.name": "test",
	})
}

func TestSpansAsLines(t *testing.T) {
	var out bytes.Buffer
	tracer, end, err := otlp.Open(otlp.Config{Console: &out, LookupEnv: environment(map[string]string{"OTEL_TRACES_EXPORTER": "console"})})
	if err != nil {
		t.Fatal(err)
	}
	record(t, tracer)
	if err := end(context.Background()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want one for each span:\n%s", len(lines), &out)
	}
	merged := strings.Replace(lines[0], `}]}]}]}`, `},`, 1)
	_, second, _ := strings.Cut(lines[1], `"spans":[`)
	check(t, []byte(merged+second), map[string]string{"service.name": "stoa"})
}

// check compares a request with what record has recorded.
func check(t *testing.T, body []byte, resource map[string]string) {
	t.Helper()
	type keyValue struct {
		Key   string
		Value map[string]string
	}
	var got struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []keyValue }
			ScopeSpans []struct {
				Scope struct{ Name string }
				Spans []struct {
					TraceID, SpanID, ParentSpanID, Name string
					Kind                                int
					StartTimeUnixNano, EndTimeUnixNano  string
					Attributes                          []keyValue
					Status                              struct {
						Code    int
						Message string
					}
				}
			}
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%v:\n%s", err, body)
	}
	of := map[string]string{}
	for _, a := range got.ResourceSpans[0].Resource.Attributes {
		of[a.Key] = a.Value["stringValue"]
	}
	if !reflect.DeepEqual(of, resource) {
		t.Errorf("the resource is %v, want %v", of, resource)
	}
	spans := got.ResourceSpans[0].ScopeSpans[0].Spans
	if len(spans) != 2 {
		t.Fatalf("%d spans:\n%s", len(spans), body)
	}
	call, root := spans[0], spans[1]
	if call.Name != "GetItem main" || call.Kind != 3 || call.Status.Code != 2 || call.Status.Message != "throttled" || call.ParentSpanID != root.SpanID ||
		call.TraceID != root.TraceID || !reflect.DeepEqual(call.Attributes, []keyValue{{"db.operation.name", map[string]string{"stringValue": "GetItem"}}}) {
		t.Errorf("the call is %+v", call)
	}
	if root.Name != "POST /graphql" || root.Kind != 2 || root.ParentSpanID != "" || root.Status.Code != 0 || len(root.TraceID) != 32 || len(root.SpanID) != 16 ||
		root.StartTimeUnixNano > root.EndTimeUnixNano || len(root.StartTimeUnixNano) != 19 ||
		!reflect.DeepEqual(root.Attributes, []keyValue{{"http.response.status_code", map[string]string{"intValue": "200"}}}) {
		t.Errorf("the root is %+v", root)
	}
}
