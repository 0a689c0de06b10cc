package store

import (
	"errors"

	"stoa"
	"stoa/internal/kit/keyspec"
)

// outcome turns conditions that did not hold into the Conflict on which whoever decided
// decides anew.
func outcome(err error) error {
	if err == nil {
		return nil
	}
	var conflict *keyspec.Conflict
	if errors.As(err, &conflict) {
		return stoa.Changed("Somebody else changed this at the same time: try again")
	}
	return err
}
