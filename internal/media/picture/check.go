package picture

import (
	"errors"
	"slices"
)

// Check returns an error if the beginning of a file, which in.Data is, shows that the file
// cannot be processed, so that the rest need not be read.
func (p *Processor) Check(in Input) error {
	format, err := sniff(in.Data)
	if err != nil {
		return err
	}
	if !slices.Contains(in.Formats, format) {
		return unfit(NotAllowed, "%s", format)
	}
	h, err := readHeader(format, in.Data)
	if h != nil && h.width*h.height > p.limits.Pixels {
		return unfit(TooLarge, "%d x %d pixels", h.width, h.height)
	}
	if u := (*Unfit)(nil); errors.As(err, &u) && u.Reason == Undecodable {
		return nil // there may be more of the header
	}
	return err
}
