package heif

import (
	"image"

	"stoa/internal/media/picture/raster"
)

// A transform rotates, mirrors or crops a picture.
type transform func(*raster.Raster) *raster.Raster

// orient reads the transforms of the primary picture, in the file's order, and the
// resulting size.
func (f *File) orient(primary *item) error {
	f.Width, f.Height = f.canvas.X, f.canvas.Y
	for _, index := range primary.properties {
		p := f.meta.properties[index]
		r := &reader{b: p.content}
		switch p.kind {
		case "irot":
			turns := int(r.u8() & 3)
			f.transforms = append(f.transforms, func(p *raster.Raster) *raster.Raster { return p.Turned(turns) })
			if turns%2 == 1 {
				f.Width, f.Height = f.Height, f.Width
			}
		case "imir":
			sideways := r.u8()&1 == 1
			f.transforms = append(f.transforms, func(p *raster.Raster) *raster.Raster { return p.Mirrored(sideways) })
		case "clap":
			area, ok := aperture(r, f.Width, f.Height)
			if !ok {
				return Error("a clean aperture outside of the picture")
			}
			f.transforms = append(f.transforms, func(p *raster.Raster) *raster.Raster { return p.Cut(area) })
			f.Width, f.Height = area.Dx(), area.Dy()
		}
		if r.short {
			return errorf("%s box ends early", p.kind)
		}
	}
	return nil
}

// aperture returns the part of a picture shown by a clean aperture: its size, and the
// offset of its centre from that of the picture, all as fractions.
func aperture(r *reader, width, height int) (image.Rectangle, bool) {
	fraction := func() float64 {
		n, d := int32(r.u32()), int32(r.u32())
		return float64(n) / float64(max(1, d))
	}
	w, h, dx, dy := fraction(), fraction(), fraction(), fraction()
	x0 := int((float64(width)-w)/2 + dx + 0.5)
	y0 := int((float64(height)-h)/2 + dy + 0.5)
	area := image.Rect(x0, y0, x0+int(w+0.5), y0+int(h+0.5))
	return area, !area.Empty() && area.In(image.Rect(0, 0, width, height))
}
