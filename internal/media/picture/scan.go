package picture

import (
	"bytes"
	"context"
	"image/jpeg"
)

// Scan is a picture in its native size and a small one, both JPEG files.
type Scan struct {
	Width, Height int
	// Native is the input byte for byte where that is a JPEG file, apart from the place
	// where it was taken.
	Native, Thumbnail []byte
}

// Scan makes a thumbnail of at most a width, in a quality of 1 to 100.
func (p *Processor) Scan(ctx context.Context, in Input, width, quality int) (*Scan, error) {
	format, h, err := p.inspect(in)
	if err != nil {
		return nil, err
	}
	pixels := h.width * h.height
	cost := int64(float64(pixels)*(h.perPixel+transformCost(h, in))) + int64(len(in.Data)) + fixedCost
	if pixels > p.limits.Pixels || cost > p.limits.Memory {
		return nil, unfit(TooLarge, "%d x %d pixels", h.width, h.height)
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
	out := &Scan{Width: r.Width, Height: r.Height}
	if out.Native, err = native(format, in.Data, h, r, format != JPEG); err != nil {
		return nil, err
	}
	var small bytes.Buffer
	err = jpeg.Encode(&small, r.Fitted(width, r.Height).Image(), &jpeg.Options{Quality: quality})
	out.Thumbnail = small.Bytes()
	return out, err
}
