package app

import (
	"context"
	"fmt"
	"io"

	"stoa/internal/host"
)

// loadGazetteer loads places from a file in the format described in docs/archive-places.md.
func (o Options) loadGazetteer(ctx context.Context, h *host.Host, file io.ReadSeeker, progress func(done int)) (string, error) {
	l, err := o.open(h, h.Frame, nil).Places.LoadFile(ctx, file, progress)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d places: %d new, %d changed, %d unchanged.\n", l.Places, l.New, l.Changed, l.Places-l.New-l.Changed), nil
}
