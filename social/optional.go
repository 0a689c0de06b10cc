package social

// ptr returns a pointer to a copy of v.
func ptr[T any](v T) *T { return &v }

// unless returns a pointer to v, or nil if hidden.
func unless[T any](hidden bool, v T) *T {
	if hidden {
		return nil
	}
	return &v
}

// set returns a pointer to text, or nil if it is hidden or empty.
func set(shown bool, text string) *string {
	if !shown || text == "" {
		return nil
	}
	return &text
}

// equalPtr reports whether both are nil or point to the same value.
func equalPtr[T comparable](p, q *T) bool {
	return p == q || p != nil && q != nil && *p == *q
}

// orElse returns v, or fallback if v is the zero value.
func orElse[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// deref returns what p points to, or fallback if p is nil.
func deref[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
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
