//go:build !linux

package engine

import "errors"

// openDirect is not known here: logs are written through the page cache.
func openDirect(string) (blockFile, error) { return nil, errors.ErrUnsupported }
