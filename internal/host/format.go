package host

import (
	"context"
	"fmt"

	"stoa/internal/ops"
)

// Formats of items. A release that changes items so that earlier ones cannot read them does it
// in two steps, so that there is always a release that works beside both: first it raises
// formatRead, and a release later formatWritten. See docs/upgrading.md.
const (
	// formatRead is the newest format that this version reads.
	formatRead = 1
	// formatWritten is the format that this version writes.
	formatWritten = 1
)

// checkFormat refuses tables with items that this version cannot read: it would fail on some of
// them, or misunderstand them, at any time.
func checkFormat(ctx context.Context, s *ops.Formats, read int) error {
	f, err := s.Load(ctx)
	if err != nil {
		return err
	}
	if f.Number > read {
		return fmt.Errorf("the tables have items of format %d, written by stoa %s, and this version reads up to format %d: start %s or later",
			f.Number, f.Version, read, f.Version)
	}
	return nil
}

// RaiseFormat makes versions that cannot read what this one writes refuse to start. A server
// calls it before it writes.
func (h *Host) RaiseFormat(ctx context.Context) error {
	return raiseFormat(ctx, h.Ops.Formats, ops.Format{Number: formatWritten, Version: h.Version})
}

func raiseFormat(ctx context.Context, s *ops.Formats, f ops.Format) error {
	if f.Number == ops.FirstFormat {
		return nil
	}
	return s.Raise(ctx, f)
}
