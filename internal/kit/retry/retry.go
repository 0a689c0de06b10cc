// Package retry repeats decisions that lost a race.
package retry

import (
	"math/rand/v2"
	"time"

	"stoa/internal/kit/refusal"
)

const (
	// limit is the maximum number of attempts. Each fails because another one succeeded, so
	// only a decision whose condition can never hold reaches it.
	limit = 16
	// patient is the attempt after which retries pause: two rivals are done at once, but
	// many must be spread out.
	patient = 3
	// maxPause is the longest pause.
	maxPause = 32 * time.Millisecond
)

// OnConflict runs decide, which reads the stored state, decides and writes on the condition
// that the state is unchanged, and repeats it if the state has changed (refusal.Conflict).
// This is the only place that retries: callers must return conflicts. After 16 attempts,
// within half a second, it returns the conflict.
func OnConflict[T any](decide func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		result, err := decide()
		if refusal.KindOf(err) != refusal.Conflict || attempt == limit {
			return result, err
		}
		if attempt >= patient {
			longest := min(time.Millisecond<<(attempt-patient), maxPause)
			time.Sleep(rand.N(longest))
		}
	}
}
