// Package slice maps slices.
package slice

// Map returns what f returns for each item of s, in the order of s. It is not nil.
func Map[T, U any](s []T, f func(T) U) []U {
	mapped := make([]U, len(s))
	for i, item := range s {
		mapped[i] = f(item)
	}
	return mapped
}
