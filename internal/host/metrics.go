package host

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/outbox"
)

// outboxMetrics counts deliveries for Prometheus. Event names are suitable as labels
// because there are few of them and clients do not choose them.
type outboxMetrics struct {
	lag    *prometheus.HistogramVec
	failed *prometheus.CounterVec
	parked *prometheus.CounterVec
}

func newOutboxMetrics(registry prometheus.Registerer) *outboxMetrics {
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{"kind"})
	}
	m := &outboxMetrics{
		lag: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "stoa_outbox_lag_seconds",
			Help:    "Time from a change to the delivery of its event, by kind.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60},
		}, []string{"kind"}),
		failed: counter("stoa_outbox_failures_total", "Attempts to deliver an event that failed, by kind."),
		parked: counter("stoa_outbox_parked_total", "Events that became dead letters after attempts of an hour, by kind."),
	}
	registry.MustRegister(m.lag, m.failed, m.parked)
	return m
}

func (m *outboxMetrics) Delivered(event string, lag time.Duration) {
	m.lag.WithLabelValues(event).Observe(lag.Seconds())
}

func (m *outboxMetrics) Failed(event string) { m.failed.WithLabelValues(event).Inc() }

func (m *outboxMetrics) Parked(event string) { m.parked.WithLabelValues(event).Inc() }

// watch adds gauges of what a process has yet to deliver, and of the dead letters.
func (m *outboxMetrics) watch(registry prometheus.Registerer, d *outbox.Dispatcher, dead *deadLetters) {
	gauge := func(name, help string, value func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	gauge("stoa_outbox_undelivered", "Events that this process has yet to deliver.", func() float64 { return float64(d.Backlog().Events) })
	gauge("stoa_outbox_dead_letters", "Events and fan-outs of all processes that are not attempted anymore, up to 1000: see stoa events.", dead.value)
	gauge("stoa_outbox_lanes", "Fan-outs that this process has yet to finish.", func() float64 { return float64(d.Backlog().Lanes) })
	gauge("stoa_outbox_oldest_seconds", "Age of the oldest event that this process has yet to deliver or to finish.", func() float64 {
		oldest := d.Backlog().Oldest
		if oldest.IsZero() {
			return 0
		}
		return d.Now().Sub(oldest).Seconds()
	})
	gauge("stoa_clock_difference_seconds", "The largest difference between the clock of this process and that of another, whichever is ahead.", func() float64 {
		var most time.Duration
		for _, ahead := range d.ClockDifferences() {
			most = max(most, ahead.Abs())
		}
		return most.Seconds()
	})
}
