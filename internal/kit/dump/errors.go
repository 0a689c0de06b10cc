package dump

import (
	"errors"
	"fmt"
)

// ErrForeign says that a file was not written by this package.
var ErrForeign = errors.New("the file is no export of tables")

// ErrComplete says that a file that should be continued lacks nothing.
var ErrComplete = errors.New("the export is complete")

// MismatchError says that a file cannot be continued from where it was tried.
type MismatchError struct{ Reason string }

func (e *MismatchError) Error() string { return e.Reason }

// VersionError says that a file has a format that this package does not know.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the export has format %d, and formats up to %d are known here", e.Version, Version)
}

// IncompleteError says that a file ends before it is complete.
type IncompleteError struct {
	// Items is how many items can be read of it.
	Items int64
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the export is incomplete: it was cut short after %d items", e.Items)
}

// DamagedError says that the bytes of a file are not those that were written.
type DamagedError struct {
	// Offset is where the damaged part begins, in bytes.
	Offset int64
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the export is damaged behind byte %d: %s", e.Offset, e.Reason)
}
