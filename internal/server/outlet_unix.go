//go:build unix

package server

import "syscall"

// writeNow writes to a socket what it accepts without waiting.
func writeNow(fd uintptr, p []byte) (int, error) { return syscall.Write(int(fd), p) }
