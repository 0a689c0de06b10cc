// Package raster represents pictures in memory like JPEG, with luma and chroma in separate
// planes, and rotates, crops and resamples them.
//
// Methods may return their receiver, or share samples with it, if nothing needs to change:
// treat every complete Raster as immutable.
package raster

import "image"

// Raster is a picture in luma, or in luma and two planes of chroma, with JFIF's colour
// space.
type Raster struct {
	Width, Height int
	// StepX and StepY are the numbers of pixels per chroma sample.
	StepX, StepY int
	// Planes holds only luma, or luma, Cb and Cr.
	Planes []Plane
}

// Plane is the samples of one component.
type Plane struct {
	Width, Height, Stride int
	Pix                   []byte
}

// New allocates a picture with one or three planes.
func New(width, height, stepX, stepY, planes int) *Raster {
	r := &Raster{Width: width, Height: height, StepX: stepX, StepY: stepY, Planes: make([]Plane, planes)}
	for i := range r.Planes {
		p := &r.Planes[i]
		p.Width, p.Height = r.planeSize(i)
		p.Stride = p.Width
		p.Pix = make([]byte, p.Stride*p.Height)
	}
	return r
}

// like allocates a picture of another size with the same kind of planes as r.
func (r *Raster) like(width, height int) *Raster {
	return New(width, height, r.StepX, r.StepY, len(r.Planes))
}

func (r *Raster) planeSize(i int) (width, height int) {
	if i == 0 {
		return r.Width, r.Height
	}
	return ceil(r.Width, r.StepX), ceil(r.Height, r.StepY)
}

func ceil(a, b int) int { return (a + b - 1) / b }

// row is one line of samples.
func (p *Plane) row(y int) []byte { return p.Pix[y*p.Stride:][:p.Width] }

// Paste copies from to a position, cropped to r. It returns false, without copying, if the
// two are of different kinds or the position is between chroma samples.
func (r *Raster) Paste(from *Raster, at image.Point) bool {
	if len(from.Planes) != len(r.Planes) || from.StepX != r.StepX || from.StepY != r.StepY ||
		at.X < 0 || at.Y < 0 || at.X%r.StepX != 0 || at.Y%r.StepY != 0 {
		return false
	}
	for i := range r.Planes {
		to, from := &r.Planes[i], &from.Planes[i]
		x, y := at.X, at.Y
		if i > 0 {
			x, y = x/r.StepX, y/r.StepY
		}
		width := min(from.Width, to.Width-x)
		for line := range max(0, min(from.Height, to.Height-y)) {
			copy(to.row(y + line)[x:][:max(0, width)], from.row(line))
		}
	}
	return true
}

// FullChroma returns the picture with three planes of one size.
func (r *Raster) FullChroma() *Raster { return r.chroma(1) }

// HalfChroma returns the picture with chroma of half the resolution in both directions;
// neutral if it has none.
func (r *Raster) HalfChroma() *Raster { return r.chroma(2) }

// neutral is chroma without colour.
const neutral = 128

// chroma returns the picture with a sample of chroma for every step pixels in both
// directions.
func (r *Raster) chroma(step int) *Raster {
	if len(r.Planes) == 3 && r.StepX == step && r.StepY == step {
		return r
	}
	result := New(r.Width, r.Height, step, step, 3)
	result.Planes[0] = r.Planes[0]
	for i := 1; i < 3; i++ {
		to := &result.Planes[i]
		if len(r.Planes) == 1 {
			for j := range to.Pix {
				to.Pix[j] = neutral
			}
			continue
		}
		*to = *resample(&r.Planes[i], to.Width, to.Height, float64(step)/float64(r.StepX), float64(step)/float64(r.StepY))
	}
	return result
}
