package page

import (
	"errors"

	"stoa/internal/kit/refusal"
)

// Refused adds the code and reason used by systems other than the social one to the error
// for an invalid size or token. Other errors are unchanged.
func Refused(err error) error {
	switch {
	case errors.Is(err, ErrLimit):
		return refusal.New(refusal.BadInput, "INVALID_LIMIT", "%v", ErrLimit)
	case errors.Is(err, ErrToken):
		return refusal.New(refusal.BadInput, "INVALID_TOKEN", "%v", ErrToken)
	}
	return err
}
