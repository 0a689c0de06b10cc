package keyspec

import (
	"errors"
	"fmt"
)

// SlotError refuses a value that cannot stand in a key.
type SlotError struct {
	// Slot names the attribute.
	Slot   string
	Reason string
}

func (e *SlotError) Error() string { return fmt.Sprintf("keyspec: {%s} %s", e.Slot, e.Reason) }

// ErrCursor refuses a page cursor that is malformed, or was made by another list,
// order or version. It never means the first page.
var ErrCursor = errors.New("keyspec: the page cursor does not belong to this list")

// errLegacy refuses to write a row that is only read any more.
var errLegacy = errors.New("the row is legacy and never written")

// NewerError refuses an item that a later version of the program has written.
type NewerError struct {
	Row           string
	Stored, Known int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("keyspec: an item of %s has schemaVersion %d, this program knows %d: start the newer program", e.Row, e.Stored, e.Known)
}
