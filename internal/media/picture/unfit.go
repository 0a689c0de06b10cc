package picture

import "fmt"

// Reason is the reason for which a picture cannot be processed. Reasons are for diagnosis
// only.
type Reason string

const (
	// Unrecognized means that the bytes are not a known picture format.
	Unrecognized Reason = "Image type unrecognized"
	// NotAllowed means that the format was not requested.
	NotAllowed Reason = "Image type not allowed"
	// Undecodable means that the picture is damaged, truncated, or uses unsupported
	// features.
	Undecodable Reason = "Image undecodable"
	// Animated means that there are several pictures.
	Animated Reason = "Image is animated"
	// TooLarge means that the picture exceeds the limits of bytes or pixels.
	TooLarge Reason = "Image too large"
	// TooSlow means that the picture exceeded the time limit.
	TooSlow Reason = "Image takes too long to decode"
	// NotTallEnough and NotWideEnough mean that the picture does not contain its crop.
	NotTallEnough Reason = "Image not tall enough to crop as requested"
	NotWideEnough Reason = "Image not wide enough to crop as requested"
)

// Unfit is the error for a picture that can never be processed.
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
