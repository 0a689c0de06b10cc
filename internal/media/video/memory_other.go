//go:build !linux

package video

// limitMemory does nothing where only a process itself can limit its memory.
func limitMemory(_, _ int) error { return nil }
