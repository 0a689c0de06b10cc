package value

import "fmt"

// ValidationError is the error for invalid input. Message is the text of DynamoDB's
// ValidationException for the same input; clients match it, so it must be passed on
// unchanged.
type ValidationError struct{ Message string }

// Error returns the message alone.
func (e *ValidationError) Error() string { return e.Message }

// Invalid returns a [ValidationError] with a formatted message.
func Invalid(format string, args ...any) error {
	return &ValidationError{Message: fmt.Sprintf(format, args...)}
}

// ErrDepth is the error for values that nest deeper than [MaxDepth].
var ErrDepth = &ValidationError{"Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"}

var (
	errNotNumeric = &ValidationError{"The parameter cannot be converted to a numeric value"}
	errPrecision  = &ValidationError{"Attempting to store more than 38 significant digits in a Number"}
	errOverflow   = &ValidationError{"Number overflow. Attempting to store a number with magnitude larger than supported range"}
	errUnderflow  = &ValidationError{"Number underflow. Attempting to store a number with magnitude smaller than supported range"}
	errEmpty      = &ValidationError{"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}
	errSeveral    = &ValidationError{"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"}
	errNull       = &ValidationError{"One or more parameter values were invalid: Null attribute value types must have the value of true"}
	errName       = &ValidationError{"Empty attribute name"}
	errLongName   = &ValidationError{"Attribute name is too large, must be less than 65536 bytes"}

	errEmptyStringSet = &ValidationError{"One or more parameter values were invalid: An string set  may not be empty"}
	errEmptyNumberSet = &ValidationError{"One or more parameter values were invalid: An number set  may not be empty"}
	errEmptyBinarySet = &ValidationError{"One or more parameter values were invalid: Binary sets should not be empty"}
	errTwinNumbers    = &ValidationError{"Input collection contains duplicates"}
)
