package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"stoa/internal/media/picture/heif"
	"stoa/internal/media/picture/raster"
)

// decode returns the picture as it is stored, without the orientation of its EXIF. It stops
// soon after ctx is done.
func decode(ctx context.Context, format Format, data []byte, h *header, workers int) (r *raster.Raster, err error) {
	defer func() {
		if reason := recover(); reason != nil { // input is untrusted
			r, err = nil, unfit(Undecodable, "%s decoder: %v", format, reason)
		}
	}()
	if format == HEIC {
		r, err = h.heif.Decode(ctx, workers)
		if refused := heif.Error(""); errors.As(err, &refused) {
			err = unfit(Undecodable, "%v", err)
		}
		return r, err
	}
	decoders := map[Format]func(io.Reader) (image.Image, error){JPEG: jpeg.Decode, PNG: png.Decode, WebP: webp.Decode}
	m, err := decoders[format](&contextReader{ctx, bytes.NewReader(data)})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, unfit(Undecodable, "%v", err)
	case m.Bounds().Size() != image.Pt(h.width, h.height):
		return nil, unfit(Undecodable, "%v pixels, announced were %d x %d", m.Bounds().Size(), h.width, h.height)
	}
	return raster.FromImage(m), nil
}

// contextReader fails once its context is done, which decoders do not check. It returns
// little data at a time, since decoding small inputs can be expensive.
type contextReader struct {
	ctx context.Context
	r   *bytes.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, fmt.Errorf("decoding stopped: %w", err)
	}
	return c.r.Read(p[:min(len(p), 4096)])
}
