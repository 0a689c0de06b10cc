//go:build !linux

package osfile

import (
	"errors"
	"os"
)

// OpenDirect is not known here.
func OpenDirect(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// GiveBack is not known here.
func GiveBack(uintptr, int64, int64) {}
