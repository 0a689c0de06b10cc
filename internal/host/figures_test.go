package host

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// operator 2#3: figures are what the metrics say about the time between two readings.
func TestFiguresOfMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	operations := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "stoa_operations_total", Help: "."}, []string{"kind"})
	seconds := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "stoa_operation_seconds", Help: ".", Buckets: []float64{1, 2, 4}})
	registry.MustRegister(operations, seconds)
	observe := func(n int, took float64) {
		for range n {
			operations.WithLabelValues("query").Inc()
			seconds.Observe(took)
		}
	}
	observe(1000, 0.5)
	before := totalsOf(registry)
	observe(50, 1.5)
	observe(50, 3)
	after := totalsOf(registry)
	if n := after.operations - before.operations; n != 100 {
		t.Errorf("%v operations", n)
	}
	for share, want := range map[float64]float64{.25: 1.5, .5: 2, .75: 3, 1: 4} {
		if got := quantile(share, before, after); got != want {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
	if got := quantile(.5, after, after); got != 0 {
		t.Errorf("without operations: %v", got)
	}
	observe(1, 100)
	if got := quantile(.99, after, totalsOf(registry)); got != 4 {
		t.Errorf("beyond all buckets: %v", got)
	}
}
