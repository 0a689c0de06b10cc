package dump

import (
	"errors"
	"fmt"
)

// ErrForeign means that a file was not written by this package.
var ErrForeign = errors.New("the file is not an export of tables")

// ErrComplete means that a file to resume is complete.
var ErrComplete = errors.New("the export is complete")

// MismatchError means that a file cannot be resumed with the given source.
type MismatchError struct{ Reason string }

func (e *MismatchError) Error() string { return e.Reason }

// VersionError means that a file has an unknown format version.
type VersionError struct{ Version int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the export has format %d, but only formats up to %d are supported", e.Version, Version)
}

// IncompleteError means that a file is truncated.
type IncompleteError struct {
	// Items is the number of readable items.
	Items int64
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the export is incomplete: it ends after %d items", e.Items)
}

// DamagedError means that the content of a file has changed.
type DamagedError struct {
	// Offset is the start of the damaged part, in bytes.
	Offset int64
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the export is damaged after byte %d: %s", e.Offset, e.Reason)
}
