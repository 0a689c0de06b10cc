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
