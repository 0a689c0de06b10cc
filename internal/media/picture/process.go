package picture

import (
	"bytes"
	"context"
	"image"
	"slices"

	"stoa/internal/media/picture/raster"
)

// Process returns an uploaded picture in all sizes.
func (p *Processor) Process(ctx context.Context, in Input) (*Picture, error) {
	format, h, err := p.inspect(in)
	if err != nil {
		return nil, err
	}
	cost, err := p.costOf(h, in, !in.Crop.Empty())
	if err != nil {
		return nil, err
	}
	bounded, end, err := p.begin(ctx, cost)
	if err != nil {
		return nil, err
	}
	defer end()
	workers := 1
	if h.heif != nil {
		spare, giveBack := p.spare()
		defer giveBack()
		workers += spare
	}
	r, err := decode(bounded, format, in.Data, h, workers)
	if err != nil {
		return nil, tooSlow(ctx, err)
	}
	out := &Picture{Format: format}
	orientation := h.orientation
	out.Width, out.Height = r.Width, r.Height
	if turned(orientation) {
		out.Width, out.Height = r.Height, r.Width
	}
	if crop := in.Crop; !crop.Empty() && crop != image.Rect(0, 0, out.Width, out.Height) {
		r, orientation = r.Oriented(orientation).Cut(crop), 1
		out.Cropped, out.Width, out.Height = true, r.Width, r.Height
		p.collect(cost)
	}
	if out.Native, err = native(format, in.Data, h, r, out.Cropped); err != nil {
		return nil, err
	}
	out.Colors = palette(r)
	out.Thumbnails, err = thumbnails(r, orientation, h.icc)
	return out, err
}

// inspect performs the checks that need no decoding.
func (p *Processor) inspect(in Input) (Format, *header, error) {
	if len(in.Data) > p.limits.Bytes {
		return "", nil, unfit(TooLarge, "%d bytes", len(in.Data))
	}
	format, err := sniff(in.Data)
	if err != nil {
		return "", nil, err
	}
	if !slices.Contains(in.Formats, format) {
		return "", nil, unfit(NotAllowed, "%s", format)
	}
	h, err := readHeader(format, in.Data)
	if err != nil {
		return "", nil, err
	}
	width, height := h.shown()
	switch {
	case in.Crop.Max.Y > height:
		return "", nil, &Unfit{Reason: NotTallEnough}
	case in.Crop.Max.X > width:
		return "", nil, &Unfit{Reason: NotWideEnough}
	}
	return format, h, nil
}

// costOf returns the approximate memory that a picture takes, which may be cut and encoded
// again in its native size.
func (p *Processor) costOf(h *header, in Input, changed bool) (int64, error) {
	pixels := h.width * h.height
	perPixel := h.perPixel
	if changed {
		perPixel = max(perPixel, 2*h.planes, h.planes+fullChroma+encoded)
	}
	cost := int64(float64(pixels)*perPixel) + int64(len(in.Data)) + fixedCost
	switch {
	case pixels > p.limits.Pixels || cost > p.limits.Largest:
		return 0, unfit(TooLarge, "%d x %d pixels", h.width, h.height)
	case float64(len(in.Data)) < float64(pixels)*h.leastPerPixel:
		return 0, unfit(Undecodable, "%d bytes are too few for %d x %d pixels", len(in.Data), h.width, h.height)
	}
	return cost, nil
}

// shown returns the size of the upright picture.
func (h *header) shown() (width, height int) {
	if turned(h.orientation) {
		return h.height, h.width
	}
	return h.width, h.height
}

// turned reports whether an EXIF orientation swaps width and height.
func turned(orientation int) bool { return orientation >= 5 }

// Bytes per pixel of planes of chroma in the resolution of the picture, which a crop
// between its samples needs, and of a file being written.
const (
	fullChroma = 2
	encoded    = 1.5
)

// native returns the picture in native size: the upload itself, if it is not cropped and
// clients support its format.
func native(format Format, data []byte, h *header, r *raster.Raster, cropped bool) ([]byte, error) {
	if !cropped && format != HEIC {
		if file, ok := withoutPlace(format, data); ok {
			return file, nil
		}
	}
	var exif []byte
	if h.exif != nil {
		exif = bytes.Clone(h.exif)
		c := &cleaner{}
		if c.exif(exif); format == JPEG && c.continued(data)[spreadEXIF] {
			onlyOrientation(exif, h.orientation)
		}
		if format == HEIC { // the container has rotated the picture; JPEG readers would do so again
			setUpright(exif)
		}
	}
	return encode(r, exif, h.icc)
}

// thumbnails returns the smaller sizes, each derived from the previous one. Sizes that
// exceed the picture share one file. A picture with an EXIF orientation is turned once it is
// small.
func thumbnails(r *raster.Raster, orientation int, icc []byte) ([][]byte, error) {
	if len(icc) > maxThumbnailProfile {
		icc = nil
	}
	var files [][]byte
	for i, s := range Sizes {
		if i == 0 && turned(orientation) {
			s.Width, s.Height = s.Height, s.Width
		}
		reduced := r.Fitted(s.Width, s.Height)
		if i == 0 {
			reduced = reduced.Oriented(orientation)
		}
		if i > 0 && reduced == r {
			files = append(files, files[i-1])
			continue
		}
		file, err := encode(reduced, nil, icc)
		if err != nil {
			return nil, err
		}
		files, r = append(files, file), reduced
	}
	return files, nil
}
