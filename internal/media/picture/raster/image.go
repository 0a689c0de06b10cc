package raster

import (
	"image"
	"image/color"
	"image/draw"
)

func rect(x, y, width, height int) image.Rectangle { return image.Rect(x, y, x+width, y+height) }

// FromImage returns a picture of an image, on white where the image is transparent. It
// shares samples with image.YCbCr and image.Gray.
func FromImage(m image.Image) *Raster {
	bounds := m.Bounds()
	switch m := m.(type) {
	case *image.Gray:
		r := &Raster{Width: bounds.Dx(), Height: bounds.Dy(), StepX: 1, StepY: 1}
		r.Planes = []Plane{{r.Width, r.Height, m.Stride, m.Pix[m.PixOffset(bounds.Min.X, bounds.Min.Y):]}}
		return r
	case *image.YCbCr:
		if r := fromYCbCr(m); r != nil {
			return r
		}
	}
	return convert(m)
}

// fromYCbCr returns nil for images whose first pixel is between chroma samples, and for
// rare chroma resolutions.
func fromYCbCr(m *image.YCbCr) *Raster {
	steps := map[image.YCbCrSubsampleRatio][2]int{
		image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio422: {2, 1},
		image.YCbCrSubsampleRatio420: {2, 2}, image.YCbCrSubsampleRatio440: {1, 2},
	}
	step, ok := steps[m.SubsampleRatio]
	if !ok || m.Rect.Min.X%step[0] != 0 || m.Rect.Min.Y%step[1] != 0 {
		return nil
	}
	r := &Raster{Width: m.Rect.Dx(), Height: m.Rect.Dy(), StepX: step[0], StepY: step[1], Planes: make([]Plane, 3)}
	luma, chroma := m.YOffset(m.Rect.Min.X, m.Rect.Min.Y), m.COffset(m.Rect.Min.X, m.Rect.Min.Y)
	for i, pix := range [][]byte{m.Y[luma:], m.Cb[chroma:], m.Cr[chroma:]} {
		w, h := r.planeSize(i)
		r.Planes[i] = Plane{w, h, m.CStride, pix}
	}
	r.Planes[0].Stride = m.YStride
	return r
}

// convert converts via RGB, in bands that take little memory.
func convert(m image.Image) *Raster {
	bounds := m.Bounds()
	r := New(bounds.Dx(), bounds.Dy(), 1, 1, 3)
	const lines = 64
	band := image.NewRGBA(image.Rect(0, 0, r.Width, min(lines, r.Height)))
	for top := 0; top < r.Height; top += lines {
		area := image.Rect(0, 0, r.Width, min(lines, r.Height-top))
		draw.Draw(band, area, image.White, image.Point{}, draw.Src)
		draw.Draw(band, area, m, bounds.Min.Add(image.Pt(0, top)), draw.Over)
		for y := range area.Dy() {
			pix := band.Pix[y*band.Stride:]
			luma, cb, cr := r.Planes[0].row(top+y), r.Planes[1].row(top+y), r.Planes[2].row(top+y)
			for x := range luma {
				luma[x], cb[x], cr[x] = color.RGBToYCbCr(pix[4*x], pix[4*x+1], pix[4*x+2])
			}
		}
	}
	return r
}

// Image returns the picture as an image that shares its samples.
func (r *Raster) Image() image.Image {
	bounds := image.Rect(0, 0, r.Width, r.Height)
	luma := r.Planes[0]
	if len(r.Planes) == 1 {
		return &image.Gray{Pix: luma.Pix, Stride: luma.Stride, Rect: bounds}
	}
	ratios := map[[2]int]image.YCbCrSubsampleRatio{
		{1, 1}: image.YCbCrSubsampleRatio444, {2, 1}: image.YCbCrSubsampleRatio422,
		{2, 2}: image.YCbCrSubsampleRatio420, {1, 2}: image.YCbCrSubsampleRatio440,
	}
	return &image.YCbCr{
		Y: luma.Pix, Cb: r.Planes[1].Pix, Cr: r.Planes[2].Pix, YStride: luma.Stride, CStride: r.Planes[1].Stride,
		SubsampleRatio: ratios[[2]int{r.StepX, r.StepY}], Rect: bounds,
	}
}
