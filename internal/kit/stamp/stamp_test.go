package stamp_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"stoa/internal/kit/stamp"
)

// Texts are those of package time.
func TestTextsAreThoseOfTheirLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	times := []time.Time{
		{}, time.Unix(0, 0), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for range 1000 {
		times = append(times, time.Unix(r.Int64N(4e9), r.Int64N(1e9)).In(time.FixedZone("", r.IntN(1e5)-5e4)))
	}
	for _, at := range times {
		for layout, of := range map[string]func(time.Time) string{stamp.Milli: stamp.MilliOf, stamp.Micro: stamp.MicroOf, stamp.Nano: stamp.NanoOf} {
			want := at.UTC().Format(layout)
			if got := of(at); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := string(stamp.Append([]byte("at "), at, layout)); got != "at "+want {
				t.Errorf("got %s, want %s", got, "at "+want)
			}
		}
	}
}

func BenchmarkMilliOf(b *testing.B) {
	at := time.Unix(1_700_000_000, 123_456_789)
	for b.Loop() {
		stamp.MilliOf(at)
	}
}
