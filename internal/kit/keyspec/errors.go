package keyspec

import (
	"errors"
	"fmt"
)

// SlotError is the error for a value that keys cannot contain.
type SlotError struct {
	// Slot is the name of the attribute.
	Slot   string
	Reason string
}

func (e *SlotError) Error() string { return fmt.Sprintf("keyspec: {%s} %s", e.Slot, e.Reason) }

// ErrCursor is the error for a page cursor that is malformed or belongs to another list,
// order or version. A bad cursor is never treated as the first page.
var ErrCursor = errors.New("keyspec: the page cursor does not belong to this list")

// errLegacy is the error for writes of a row that is read-only.
var errLegacy = errors.New("the row is legacy and never written")

// NewerError is the error for an item written by a newer version of the program.
type NewerError struct {
	Row           string
	Stored, Known int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("keyspec: an item of %s has schemaVersion %d, this program knows %d: start the newer program", e.Row, e.Stored, e.Known)
}
