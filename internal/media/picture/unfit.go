package picture

import "fmt"

// Reason is why a picture cannot be processed. Reasons are shown to nobody but those who
// look for what went wrong with an upload.
type Reason string

const (
	// Unrecognized bytes are no kind of picture known here.
	Unrecognized Reason = "Image type unrecognized"
	// NotAllowed is a kind of picture that was not asked for.
	NotAllowed Reason = "Image type not allowed"
	// Undecodable pictures are damaged, cut short, or use what no decoder here knows.
	Undecodable Reason = "Image undecodable"
	// Animated pictures are several.
	Animated Reason = "Image is animated"
	// TooLarge pictures have more bytes or pixels than the limits.
	TooLarge Reason = "Image too large"
	// TooSlow pictures took more time than the limits.
	TooSlow Reason = "Image takes too long to decode"
	// NotTallEnough and NotWideEnough pictures do not contain their crop.
	NotTallEnough Reason = "Image not tall enough to crop as requested"
	NotWideEnough Reason = "Image not wide enough to crop as requested"
)

// Unfit is the error for a picture that will never be processed.
type Unfit struct {
	Reason Reason
	// Detail may be empty.
	Detail string
}

func (u *Unfit) Error() string {
	if u.Detail == "" {
		return string(u.Reason)
	}
	return string(u.Reason) + ": " + u.Detail
}

func unfit(reason Reason, format string, args ...any) error {
	return &Unfit{reason, fmt.Sprintf(format, args...)}
}
