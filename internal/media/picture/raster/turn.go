package raster

import "image"

// Turned returns the picture rotated anticlockwise by quarter turns.
func (r *Raster) Turned(turns int) *Raster {
	switch turns & 3 {
	case 0:
		return r
	case 2:
		return r.Mirrored(true).Mirrored(false)
	case 1:
		return r.transposed().Mirrored(false)
	default:
		return r.transposed().Mirrored(true)
	}
}

// transposed swaps columns and rows.
func (r *Raster) transposed() *Raster {
	out := New(r.Height, r.Width, r.StepY, r.StepX, len(r.Planes))
	for i := range out.Planes {
		to, from := &out.Planes[i], &r.Planes[i]
		// Work in squares that fit the cache: columns of from are far apart in memory.
		const side = 32
		for y0 := 0; y0 < to.Height; y0 += side {
			for x0 := 0; x0 < to.Width; x0 += side {
				for y := y0; y < min(y0+side, to.Height); y++ {
					row := to.row(y)
					for x := x0; x < min(x0+side, to.Width); x++ {
						row[x] = from.Pix[x*from.Stride+y]
					}
				}
			}
		}
	}
	return out
}

// Mirrored returns the picture flipped horizontally if sideways is set, otherwise
// vertically.
func (r *Raster) Mirrored(sideways bool) *Raster {
	// The last chroma sample of an odd side covers one pixel and would become the first.
	if sideways && r.Width%r.StepX != 0 || !sideways && r.Height%r.StepY != 0 {
		r = r.FullChroma()
	}
	out := r.like(r.Width, r.Height)
	for i := range out.Planes {
		to, from := &out.Planes[i], &r.Planes[i]
		for y := range to.Height {
			if !sideways {
				copy(to.row(y), from.row(from.Height-1-y))
				continue
			}
			row, source := to.row(y), from.row(y)
			for x := range row {
				row[x] = source[len(source)-1-x]
			}
		}
	}
	return out
}

// Cut returns the part of the picture in area, which must be within it. It shares samples
// with r.
func (r *Raster) Cut(area image.Rectangle) *Raster {
	if area == image.Rect(0, 0, r.Width, r.Height) {
		return r
	}
	if area.Min.X%r.StepX != 0 || area.Min.Y%r.StepY != 0 {
		r = r.FullChroma()
	}
	out := &Raster{Width: area.Dx(), Height: area.Dy(), StepX: r.StepX, StepY: r.StepY, Planes: make([]Plane, len(r.Planes))}
	for i := range out.Planes {
		to, from := &out.Planes[i], &r.Planes[i]
		x, y := area.Min.X, area.Min.Y
		if i > 0 {
			x, y = x/r.StepX, y/r.StepY
		}
		to.Width, to.Height = out.planeSize(i)
		to.Stride = from.Stride
		to.Pix = from.Pix[y*from.Stride+x:]
	}
	return out
}

// Oriented returns the upright picture for an EXIF orientation from 1 to 8. It ignores
// other values.
func (r *Raster) Oriented(orientation int) *Raster {
	switch orientation {
	case 2:
		return r.Mirrored(true)
	case 3:
		return r.Turned(2)
	case 4:
		return r.Mirrored(false)
	case 5:
		return r.transposed()
	case 6:
		return r.Turned(3)
	case 7:
		return r.transposed().Turned(2)
	case 8:
		return r.Turned(1)
	default:
		return r
	}
}
