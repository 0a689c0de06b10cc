package record

import (
	"testing"
	"time"
)

// With its pauses, a load leaves half of the processors idle. It has none if it does so anyway.
func TestPauseAfter(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name       string
		used, took time.Duration
		processors int
		want       time.Duration
	}{
		{"both processors", 200 * ms, 100 * ms, 2, 100 * ms},
		{"three of four", 300 * ms, 100 * ms, 4, 50 * ms},
		{"half of them", 100 * ms, 100 * ms, 2, 0},
		{"waiting for the store", 10 * ms, 100 * ms, 2, 0},
		{"the only processor", 100 * ms, 100 * ms, 1, 100 * ms},
		{"more than there is, as a clock may say", 900 * ms, 100 * ms, 2, 100 * ms},
		{"a long block", 20 * time.Second, 10 * time.Second, 2, maxPause},
		{"no measurement", 0, 100 * ms, 2, 0},
	} {
		if got := pauseAfter(test.used, test.took, test.processors); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
