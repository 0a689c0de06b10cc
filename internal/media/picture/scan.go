package picture

import (
	"bytes"
	"context"
	"image/jpeg"
)

// Scan is a picture in its native size and a thumbnail, both JPEG files.
type Scan struct {
	Width, Height int
	// Native is the unmodified input, except for its location and what follows its end, if it is
	// a JPEG file.
	Native, Thumbnail []byte
}

// Scan returns a thumbnail with a maximum width, in a quality of 1 to 100.
func (p *Processor) Scan(ctx context.Context, in Input, width, quality int) (*Scan, error) {
	format, h, err := p.inspect(in)
	if err != nil {
		return nil, err
	}
	cost, err := p.costOf(h, in, true)
	if err != nil {
		return nil, err
	}
	bounded, end, err := p.begin(ctx, cost)
	if err != nil {
		return nil, err
	}
	defer end()
	r, err := decode(bounded, format, in.Data, h, 1)
	if err != nil {
		return nil, tooSlow(ctx, err)
	}
	r = r.Oriented(h.orientation)
	p.collect(cost)
	out := &Scan{Width: r.Width, Height: r.Height}
	if out.Native, err = native(format, in.Data, h, r, format != JPEG); err != nil {
		return nil, err
	}
	var small bytes.Buffer
	err = jpeg.Encode(&small, r.Fitted(width, r.Height).Image(), &jpeg.Options{Quality: quality})
	out.Thumbnail = small.Bytes()
	return out, err
}
