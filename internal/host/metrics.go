package host

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// outboxMetrics counts deliveries for Prometheus. Event names are suitable as labels
// because there are few of them and clients do not choose them.
type outboxMetrics struct {
	lag    *prometheus.HistogramVec
	failed *prometheus.CounterVec
}

func newOutboxMetrics(registry prometheus.Registerer) *outboxMetrics {
	m := &outboxMetrics{
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

func (m *outboxMetrics) Delivered(event string, lag time.Duration) {
	m.lag.WithLabelValues(event).Observe(lag.Seconds())
}

func (m *outboxMetrics) Failed(event string) { m.failed.WithLabelValues(event).Inc() }
