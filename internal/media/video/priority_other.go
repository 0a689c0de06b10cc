//go:build !unix

package video

// lowerPriority does nothing here.
func lowerPriority(int) {}
