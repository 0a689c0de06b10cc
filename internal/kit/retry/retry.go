// Package retry runs decisions again that lost a race.
package retry

import (
	"math/rand/v2"
	"time"

	"stoa/internal/kit/refusal"
)

const (
	// limit bounds how often a decision is made. Each attempt loses to somebody else's
	// success, so only a decision whose condition can never hold comes this far.
	limit = 16
	// patient is the attempt from which on there is a pause before the next: two rivals
	// are over at once, a crowd gets out of step.
	patient = 3
	// maxPause bounds a pause.
	maxPause = 32 * time.Millisecond
)

// OnConflictOr is OnConflict with another answer when all attempts were in vain.
func OnConflictOr[T any](exhausted error, decide func() (T, error)) (T, error) {
	result, err := OnConflict(decide)
	if refusal.KindOf(err) == refusal.Conflict {
		return result, exhausted
	}
	return result, err
}

// OnConflict runs decide, which reads the stored state, judges it and writes under the
// condition that it still stands, and runs it again when the write found the state
// changed (refusal.Conflict). It is the one place that tries again: callers hand a
// conflict on. After 16 attempts, within half a second, the conflict is the answer.
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

// Run is OnConflict for a decision without a result.
func Run(decide func() error) error {
	_, err := OnConflict(func() (struct{}, error) { return struct{}{}, decide() })
	return err
}
