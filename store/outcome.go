package store

import (
	"errors"

	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/refusal"
)

// outcome turns conditions that did not hold into the Conflict on which whoever decided
// decides anew.
func outcome(err error) error {
	if err == nil {
		return nil
	}
	var conflict *keyspec.Conflict
	if errors.As(err, &conflict) {
		return refusal.Conflictf("Somebody else changed this at the same time: try again")
	}
	return err
}
