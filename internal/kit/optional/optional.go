// Package optional has pointers to values that may be unset.
package optional

// IfSet returns a pointer to v, or nil if it is the zero value.
func IfSet[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Or returns the value of p, or fallback if it is nil.
func Or[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}
