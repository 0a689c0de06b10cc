// Package retry runs decisions again that lost a race.
package retry

import "stoa/internal/kit/refusal"

// limit bounds how often a decision is made. Each attempt loses to somebody else's
// success, so whoever loses this often does better to tell the client.
const limit = 3

// OnConflict runs decide, which reads the stored state, judges it and writes under the
// condition that it still stands, and runs it again when the write found the state
// changed (refusal.Conflict). After three attempts the conflict is the answer.
func OnConflict[T any](decide func() (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		result, err := decide()
		if refusal.KindOf(err) != refusal.Conflict || attempt == limit {
			return result, err
		}
	}
}
