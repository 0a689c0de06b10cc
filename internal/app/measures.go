package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/social"
)

// outboxMeasures counts deliveries for Prometheus. Kinds of events are few and ours,
// so they may be labels.
type outboxMeasures struct {
	lag    *prometheus.HistogramVec
	failed *prometheus.CounterVec
}

func newOutboxMeasures(registry prometheus.Registerer) *outboxMeasures {
	m := &outboxMeasures{
		lag: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "stoa_outbox_lag_seconds",
			Help:    "Time from a change to the delivery of its event, by kind.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
		}, []string{"kind"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stoa_outbox_failures_total",
			Help: "Attempts to deliver an event that failed, by kind.",
		}, []string{"kind"}),
	}
	registry.MustRegister(m.lag, m.failed)
	return m
}

func (m *outboxMeasures) Delivered(kind social.EventKind, lag time.Duration) {
	m.lag.WithLabelValues(string(kind)).Observe(lag.Seconds())
}

func (m *outboxMeasures) Failed(kind social.EventKind) { m.failed.WithLabelValues(string(kind)).Inc() }
