package page

import (
	"errors"

	"stoa/internal/kit/refusal"
)

// Refused gives a bad size or token the code and reason that systems beside the social one
// answer with. Other errors stay as they are.
func Refused(err error) error {
	switch {
	case errors.Is(err, ErrLimit):
		return refusal.New(refusal.BadInput, "INVALID_LIMIT", "%v", ErrLimit)
	case errors.Is(err, ErrToken):
		return refusal.New(refusal.BadInput, "INVALID_TOKEN", "%v", ErrToken)
	}
	return err
}
