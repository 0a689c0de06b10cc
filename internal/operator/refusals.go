package operator

import "stoa/internal/kit/refusal"

// ErrNotOperator refuses callers without the role that they need.
var ErrNotOperator = &refusal.Error{
	Kind: refusal.Forbidden, Text: "Only those who run the service may do this", Info: []string{"NOT_OPERATOR"},
}

func forbidden(format string, args ...any) error { return refusal.Forbiddenf(format, args...) }

// badInput refuses the value of an argument.
func badInput(field, format string, args ...any) error {
	return refusal.New(refusal.BadInput, "", format, args...).With("field", field)
}

func noPerson(id UserID) error { return refusal.NotFoundf("Person `%s` does not exist", id) }
