package operation

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"stoa/internal/kit/refusal"
	"stoa/internal/kit/trace"
	"stoa/internal/kit/viewer"
	"stoa/internal/server/wire"
)

// maxLoggedName is the maximum length of logged operation names, which are arbitrary text
// from clients.
const maxLoggedName = 80

// metrics are the metrics of operations by kind and root field, both limited by the schema.
type metrics struct {
	operations *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	errors     *prometheus.CounterVec
	open       *prometheus.GaugeVec
	events     *prometheus.CounterVec
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stoa_operations_total",
			Help: "GraphQL operations that were executed, by kind, first root field and outcome (ok, client_error, server_error).",
		}, []string{"kind", "field", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "stoa_operation_seconds",
			Help:    "Time from a checked request to its result; subscriptions are not in it.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"kind", "field"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stoa_errors_total",
			Help: "Errors shown to clients, by code.",
		}, []string{"code"}),
		open: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "stoa_subscriptions_open",
			Help: "Subscriptions that are running, by field.",
		}, []string{"field"}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stoa_subscription_events_total",
			Help: "Events handed to subscriptions, by field.",
		}, []string{"field"}),
	}
	registry.MustRegister(m.operations, m.seconds, m.errors, m.open, m.events)
	return m
}

// observe counts, times and logs an executed operation. Variables are never logged: they
// contain users' texts.
func (o *Operation) observe(ctx context.Context, errs gqlerror.List, calls *trace.Calls) {
	took := time.Since(o.began)
	kind, codes := string(o.Kind()), o.executor.countErrors(errs)
	if codes == nil {
		o.plan.succeeded.Inc()
	} else {
		o.executor.metrics.operations.WithLabelValues(kind, o.plan.field, failure(errs)).Inc()
	}
	if o.Kind() != ast.Subscription {
		o.plan.seconds.Observe(took.Seconds())
	}
	line(ctx, o.plan.log, "operation", codes, microseconds(took), slog.Int64("storeCalls", calls.Count()))
}

func (o *Operation) observeEnd(ctx context.Context, events int) {
	line(ctx, o.plan.log, "subscription ended", nil, microseconds(time.Since(o.began)), slog.Int("events", events))
}

func (e *Executor) observeRefusal(ctx context.Context, r *wire.Request, errs gqlerror.List, took time.Duration) {
	line(ctx, e.log, "operation refused", e.countErrors(errs), slog.String("name", clip(r.OperationName)), microseconds(took))
}

// logOf returns a logger with the known attributes of an operation.
func logOf(log *slog.Logger, definition *ast.OperationDefinition, field, hash string) *slog.Logger {
	return log.With("kind", string(definition.Operation), "field", field, "name", clip(definition.Name), "hash", hash)
}

func line(ctx context.Context, log *slog.Logger, message string, codes []string, first, second slog.Attr) {
	var errors slog.Attr // an empty one is left out
	if codes != nil {
		errors = slog.Any("errors", codes)
	}
	who, request := caller(ctx)
	log.LogAttrs(ctx, slog.LevelInfo, message, first, second, errors, who, request)
}

// microseconds returns an integer attribute: slog formats fractions with reflection.
func microseconds(d time.Duration) slog.Attr { return slog.Int64("microseconds", d.Microseconds()) }

func (e *Executor) logFault(ctx context.Context, level slog.Level, path string, err error) {
	who, request := caller(ctx)
	e.log.LogAttrs(ctx, level, "operation failed", who, request, slog.String("path", path), slog.String("error", err.Error()))
}

// Fault logs and counts an internal error outside of operations.
func (e *Executor) Fault(ctx context.Context, what string, err error) {
	e.metrics.errors.WithLabelValues(refusal.Kind(0).String()).Inc()
	e.log.LogAttrs(ctx, slog.LevelError, what, slog.String("error", err.Error()))
}

func caller(ctx context.Context) (who, request slog.Attr) {
	return slog.String("viewer", string(viewer.From(ctx).UserID)), slog.String("request", trace.RequestID(ctx))
}

func (e *Executor) countErrors(errs gqlerror.List) (codes []string) {
	for _, err := range errs {
		code, _ := err.Extensions[wire.Code].(string)
		e.metrics.errors.WithLabelValues(code).Inc()
		codes = append(codes, code)
	}
	return codes
}

// Outcomes of an operation; its worst error determines which.
const (
	succeeded    = "ok"
	clientFailed = "client_error"
	serverFailed = "server_error"
)

func failure(errs gqlerror.List) string {
	for _, err := range errs {
		if err.Extensions[wire.ErrorType] == serverError {
			return serverFailed
		}
	}
	return clientFailed
}

func clip(name string) string {
	if len(name) > maxLoggedName {
		return name[:maxLoggedName]
	}
	return name
}
