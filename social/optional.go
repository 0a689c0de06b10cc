package social

import "stoa/internal/kit/optional"

// shownIf returns a pointer to v if the viewer may see it, or nil.
func shownIf[T any](shown bool, v T) *T {
	if !shown {
		return nil
	}
	return &v
}

// shownIfSet is shownIf for a value that is unset if it is the zero value.
func shownIfSet[T comparable](shown bool, v T) *T {
	if !shown {
		return nil
	}
	return optional.IfSet(v)
}

// equalPtr reports whether both are nil or point to the same value.
func equalPtr[T comparable](p, q *T) bool {
	return p == q || p != nil && q != nil && *p == *q
}

func flagStatus(flagged bool) FlagStatus {
	if flagged {
		return Flagged
	}
	return NotFlagged
}

func viewedStatus(viewed bool) ViewedStatus {
	if viewed {
		return Viewed
	}
	return NotViewed
}

// one returns 1 for true and 0 for false.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
