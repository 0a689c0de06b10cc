package host

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/operator"
)

var inf = math.Inf(1)

const (
	// figuresEvery is the interval of figures, figuresKept their number.
	figuresEvery = time.Minute
	figuresKept  = 60
)

// figures are what the metrics say about each minute of the last hour.
type figures struct {
	points []*operator.Figures
	last   totals
}

// totals are what metrics have counted since the start.
type totals struct {
	operations, errors float64
	// buckets are the numbers of operations by the time that they took at most.
	buckets map[float64]float64
}

// totalsOf reads the metrics of the server.
func totalsOf(registry prometheus.Registerer) totals {
	t := totals{buckets: map[float64]float64{}}
	gatherer, ok := registry.(prometheus.Gatherer)
	if !ok {
		return t
	}
	families, _ := gatherer.Gather() // a metric that fails is missing
	for _, f := range families {
		for _, m := range f.GetMetric() {
			switch f.GetName() {
			case "stoa_operations_total":
				t.operations += m.GetCounter().GetValue()
			case "stoa_errors_total":
				t.errors += m.GetCounter().GetValue()
			case "stoa_operation_seconds":
				for _, b := range m.GetHistogram().GetBucket() {
					if !math.IsInf(b.GetUpperBound(), 1) {
						t.buckets[b.GetUpperBound()] += float64(b.GetCumulativeCount())
					}
				}
				t.buckets[inf] += float64(m.GetHistogram().GetSampleCount())
			}
		}
	}
	return t
}

// watch takes figures every minute until ctx is done.
func (d *Desk) watch(ctx context.Context) {
	d.begin()
	tick := time.NewTicker(figuresEvery)
	defer tick.Stop()
	for {
		if _, err := d.newestBackup(ctx); err != nil && ctx.Err() == nil {
			d.host.Log.WarnContext(ctx, "the age of the newest backup is not known", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.sample(d.host.Now())
		}
	}
}

func (d *Desk) begin() {
	t := totalsOf(d.host.Registry)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.figures.last = t
}

// sample takes the figures of the minute that ends.
func (d *Desk) sample(now time.Time) {
	t := totalsOf(d.host.Registry)
	f := &operator.Figures{At: now, Memory: memoryInUse(), Undelivered: d.host.Outbox.Backlog().Events}
	if d.Connections != nil {
		f.Sockets, f.Subscriptions = d.Connections()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.figures.last
	f.Operations, f.Errors = t.operations-last.operations, t.errors-last.errors
	f.P50, f.P99 = quantile(.5, last, t), quantile(.99, last, t)
	d.figures.last = t
	d.figures.points = append(d.figures.points, f)
	if n := len(d.figures.points); n > figuresKept {
		d.figures.points = d.figures.points[n-figuresKept:]
	}
}

// quantile returns the time that a share of the operations between two readings took at most,
// in seconds: between the bounds of its bucket, it is taken to be proportional.
func quantile(share float64, before, after totals) float64 {
	total := after.buckets[inf] - before.buckets[inf]
	if total <= 0 {
		return 0
	}
	rank := share * total
	low, below := 0.0, 0.0
	for _, bound := range slices.Sorted(maps.Keys(after.buckets)) {
		upTo := after.buckets[bound] - before.buckets[bound]
		if upTo >= rank {
			if math.IsInf(bound, 1) {
				return low
			}
			return low + (bound-low)*(rank-below)/(upTo-below)
		}
		low, below = bound, upTo
	}
	return low
}

// perMinute returns the operations and errors of the last minute, or of the first one so far.
func (d *Desk) perMinute() (operations, failures float64) {
	d.mu.Lock()
	points, last := d.figures.points, d.figures.last
	d.mu.Unlock()
	if n := len(points); n > 0 {
		return points[n-1].Operations, points[n-1].Errors
	}
	t := totalsOf(d.host.Registry)
	return t.operations - last.operations, t.errors - last.errors
}

// Figures returns the figures of the last hour, one for each minute.
func (d *Desk) Figures() []*operator.Figures {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*operator.Figures{}, d.figures.points...)
}
