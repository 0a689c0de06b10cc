package otlp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"stoa/internal/kit/trace"
)

// Config tells what is to be known to trace.
type Config struct {
	// LookupEnv returns variables of the environment; those of OpenTelemetry turn tracing on.
	LookupEnv func(name string) (string, bool)
	// Console is where the exporter of that name writes.
	Console io.Writer
	// Version and Instance are those of the program and of this process.
	Version, Instance string
	// Failed is told what goes wrong while the program runs; it may be nil.
	Failed func(error)
}

// Open returns the tracer that the environment asks for, or nil if it asks for none, and a
// function that sends the last spans.
func Open(c Config) (*trace.Tracer, func(context.Context) error, error) {
	env := environment{c.LookupEnv}
	idle := func(context.Context) error { return nil }
	if c.LookupEnv == nil || !env.wanted() {
		return nil, idle, nil
	}
	sampler, err := env.sampler()
	if err != nil {
		return nil, nil, err
	}
	of, err := env.resource(c)
	if err != nil {
		return nil, nil, err
	}
	var sink sdk.TracerProviderOption
	switch exporter := env.get("OTEL_TRACES_EXPORTER"); exporter {
	case "", "otlp":
		to, err := env.collector()
		if err != nil {
			return nil, nil, err
		}
		sink = sdk.WithBatcher(to)
	case "console":
		sink = sdk.WithSyncer(&lines{to: c.Console})
	default:
		return nil, nil, fmt.Errorf("OTEL_TRACES_EXPORTER: there is no exporter %q: write otlp, console or none", exporter)
	}
	if c.Failed != nil {
		otel.SetErrorHandler(otel.ErrorHandlerFunc(c.Failed))
	}
	provider := sdk.NewTracerProvider(sink, sdk.WithSampler(sampler), sdk.WithResource(of))
	return trace.NewTracer(provider), provider.Shutdown, nil
}

type environment struct {
	lookup func(name string) (string, bool)
}

// get returns the first of the variables that is not empty.
func (e environment) get(names ...string) string {
	for _, name := range names {
		if value, _ := e.lookup(name); strings.TrimSpace(value) != "" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

const (
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
)

// wanted reports whether traces have somewhere to go. Unlike an SDK in an application, this one
// is off unless a variable says so.
func (e environment) wanted() bool {
	if strings.EqualFold(e.get("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	switch e.get("OTEL_TRACES_EXPORTER") {
	case "none":
		return false
	case "":
		return e.get(tracesEndpoint, endpoint) != ""
	}
	return true
}

// collector returns the endpoint, by default one on this machine.
func (e environment) collector() (*collector, error) {
	if protocol := e.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); protocol == "grpc" {
		return nil, errors.New("OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent as http/json: choose that, and the port of OTLP over HTTP, usually 4318")
	}
	address, path := e.get(tracesEndpoint), ""
	if address == "" {
		address, path = "http://localhost:4318", "v1/traces"
		if given := e.get(endpoint); given != "" {
			address = given
		}
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: %q is not the URL of a collector: write one like http://localhost:4318", endpoint, address)
	}
	if path != "" {
		u = u.JoinPath(path)
	}
	headers, err := pairs(e.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS: %w", err)
	}
	timeout := 10 * time.Second
	if given := e.get("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"); given != "" {
		milliseconds, err := strconv.Atoi(given)
		if err != nil || milliseconds <= 0 {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT: %q is not a number of milliseconds", given)
		}
		timeout = time.Duration(milliseconds) * time.Millisecond
	}
	return &collector{url: u.String(), headers: headers, client: &http.Client{Timeout: timeout}}, nil
}

// sampler returns the sampler that decides which traces are recorded, by default all.
func (e environment) sampler() (sdk.Sampler, error) {
	name := e.get("OTEL_TRACES_SAMPLER")
	kind, follows := strings.CutPrefix(name, "parentbased_")
	var root sdk.Sampler
	switch kind {
	case "":
		root, follows = sdk.AlwaysSample(), true
	case "always_on":
		root = sdk.AlwaysSample()
	case "always_off":
		root = sdk.NeverSample()
	case "traceidratio":
		ratio := 1.0
		if given := e.get("OTEL_TRACES_SAMPLER_ARG"); given != "" {
			var err error
			if ratio, err = strconv.ParseFloat(given, 64); err != nil || !(ratio >= 0 && ratio <= 1) {
				return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG: %q is not a number between 0 and 1", given)
			}
		}
		root = sdk.TraceIDRatioBased(ratio)
	default:
		return nil, fmt.Errorf("OTEL_TRACES_SAMPLER: there is no sampler %q: write always_on, always_off or traceidratio, alone or after parentbased_", name)
	}
	if follows {
		return sdk.ParentBased(root), nil
	}
	return root, nil
}

// resource describes this process.
func (e environment) resource(c Config) (*resource.Resource, error) {
	given, err := pairs(e.get("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	all := map[string]string{"service.name": "stoa", "service.version": c.Version, "service.instance.id": c.Instance}
	for name, value := range given {
		all[name] = value
	}
	if name := e.get("OTEL_SERVICE_NAME"); name != "" {
		all["service.name"] = name
	}
	var list []attribute.KeyValue
	for name, value := range all {
		if value != "" {
			list = append(list, attribute.String(name, value))
		}
	}
	return resource.NewSchemaless(list...), nil
}

// pairs reads a list such as "a=1,b=2", in whose values bytes may be escaped by %.
func pairs(list string) (map[string]string, error) {
	all := map[string]string{}
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, found := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !found || name == "" || err != nil {
			return nil, errors.New("write NAME=VALUE,NAME=VALUE") // it may be a secret
		}
		all[name] = value
	}
	return all, nil
}
