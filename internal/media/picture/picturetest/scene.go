// Package picturetest draws pictures for tests.
//
// A scene looks different in every corner, which reveals wrong rotation, mirroring and
// cropping.
package picturetest

import (
	"image"
	"image/color"
	"math"
)

// Colours of the discs in the corners of a scene.
var (
	TopLeft     = color.RGBA{220, 40, 40, 255}
	TopRight    = color.RGBA{40, 170, 60, 255}
	BottomLeft  = color.RGBA{50, 80, 210, 255}
	BottomRight = color.RGBA{235, 190, 40, 255}
)

// Scene returns hills below an evening sky, with a disc in the colours above in each
// corner. Discs reach from one eighth to three eighths of the shorter side.
func Scene(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	w, h := float64(width), float64(height)
	for y := range height {
		v := (float64(y) + 0.5) / h
		for x := range width {
			u := (float64(x) + 0.5) / w
			m.SetRGBA(x, y, shade(u, v))
		}
	}
	side := math.Min(w, h)
	discs := []struct {
		x, y  float64
		paint color.RGBA
	}{
		{side / 4, side / 4, TopLeft}, {w - side/4, side / 4, TopRight},
		{side / 4, h - side/4, BottomLeft}, {w - side/4, h - side/4, BottomRight},
	}
	for _, d := range discs {
		disc(m, d.x, d.y, side/8, d.paint)
	}
	return m
}

// shade returns the landscape's colour at a point from 0,0 to 1,1.
func shade(u, v float64) color.RGBA {
	horizon := 0.62 + 0.07*math.Sin(5*u+1) + 0.03*math.Sin(17*u)
	near := 0.78 + 0.05*math.Sin(9*u+2)
	switch {
	case v > near:
		return mix(color.RGBA{30, 60, 45, 255}, color.RGBA{12, 26, 22, 255}, (v-near)/(1-near))
	case v > horizon:
		return mix(color.RGBA{92, 88, 120, 255}, color.RGBA{48, 66, 74, 255}, (v-horizon)/(1-horizon)*2)
	default:
		sun := math.Exp(-30 * ((u-0.5)*(u-0.5) + (v-0.45)*(v-0.45)))
		sky := mix(color.RGBA{70, 110, 180, 255}, color.RGBA{240, 170, 130, 255}, v/horizon)
		return mix(sky, color.RGBA{255, 236, 190, 255}, sun)
	}
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	t = math.Max(0, math.Min(1, t))
	channel := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t + 0.5) }
	return color.RGBA{channel(a.R, b.R), channel(a.G, b.G), channel(a.B, b.B), 255}
}

// disc paints a disc with smooth edges.
func disc(m *image.RGBA, cx, cy, radius float64, paint color.RGBA) {
	for y := int(cy - radius - 1); y <= int(cy+radius+1); y++ {
		for x := int(cx - radius - 1); x <= int(cx+radius+1); x++ {
			if !(image.Pt(x, y).In(m.Rect)) {
				continue
			}
			covered := radius + 0.5 - math.Hypot(float64(x)+0.5-cx, float64(y)+0.5-cy)
			m.SetRGBA(x, y, mix(m.RGBAAt(x, y), paint, covered))
		}
	}
}

// Corners returns the colours of a picture at the centres of the discs, in reading order.
func Corners(m image.Image) (found [4]color.RGBA) {
	b := m.Bounds()
	quarter := min(b.Dx(), b.Dy()) / 4
	for i, p := range []image.Point{
		{b.Min.X + quarter, b.Min.Y + quarter}, {b.Max.X - quarter, b.Min.Y + quarter},
		{b.Min.X + quarter, b.Max.Y - quarter}, {b.Max.X - quarter, b.Max.Y - quarter},
	} {
		found[i] = color.RGBAModel.Convert(m.At(p.X, p.Y)).(color.RGBA)
	}
	return found
}

// Near reports whether no channel of two colours differs by more than tolerance.
func Near(a, b color.RGBA, tolerance int) bool {
	far := func(a, b uint8) bool { d := int(a) - int(b); return d > tolerance || d < -tolerance }
	return !far(a.R, b.R) && !far(a.G, b.G) && !far(a.B, b.B)
}
