package stock

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// stackOfPrints draws a stack of prints, the top one with hills and a sun.
func stackOfPrints(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	backdrop(m)
	d := drawing{m: m, raster: vector.NewRasterizer(width, height), unit: float64(height) / 100, cx: float64(width) / 2, cy: float64(height) / 2}
	for _, print := range []struct {
		angle float64
		paint color.RGBA
	}{
		{-0.20, color.RGBA{122, 112, 150, 255}},
		{0.13, color.RGBA{168, 160, 190, 255}},
		{-0.03, color.RGBA{238, 235, 242, 255}},
	} {
		d.angle = print.angle
		d.shape(print.paint, rounded(-29, -22, 29, 22, 2.4))
	}
	d.shape(color.RGBA{96, 118, 168, 255}, rounded(-26, -19, 26, 19, 1))
	d.shape(color.RGBA{250, 208, 140, 255}, circle(12, -7, 5))
	d.shape(color.RGBA{70, 84, 128, 255}, []point{{-26, 9}, {-12, -6}, {2, 9}, {2, 19}, {-25.2, 19}, {-26, 18.2}})
	d.shape(color.RGBA{52, 62, 100, 255}, []point{{-14, 19}, {6, 0}, {16, 9}, {20, 6}, {26, 12}, {26, 18.2}, {25.2, 19}})
	return m
}

// backdrop draws a dusk that is lighter towards the middle.
func backdrop(m *image.RGBA) {
	top, bottom, glow := [3]float64{44, 40, 66}, [3]float64{26, 24, 40}, [3]float64{92, 80, 124}
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	for y := range m.Rect.Dy() {
		v := float64(y) / h
		for x := range m.Rect.Dx() {
			dx, dy := (float64(x)-w/2)/h, v-0.5
			light := math.Exp(-3.2 * (dx*dx + dy*dy))
			at := m.PixOffset(x, y)
			// Dither by up to one level, which avoids bands in flat areas.
			grain := float64((x*7+y*13+x*y*3)%16)/16 - 0.5
			for i := range 3 {
				c := top[i] + (bottom[i]-top[i])*v
				m.Pix[at+i] = uint8(c + (glow[i]-c)*light*0.6 + grain + 0.5)
			}
			m.Pix[at+3] = 255
		}
	}
}

// point is a position in hundredths of the height, from the middle.
type point struct{ x, y float64 }

// drawing fills shapes rotated around the middle.
type drawing struct {
	m            *image.RGBA
	raster       *vector.Rasterizer
	unit, cx, cy float64
	angle        float64
}

func (d *drawing) shape(paint color.RGBA, outline []point) {
	sin, cos := math.Sincos(d.angle)
	place := func(p point) (float32, float32) {
		return float32(d.cx + d.unit*(p.x*cos-p.y*sin)), float32(d.cy + d.unit*(p.x*sin+p.y*cos))
	}
	d.raster.Reset(d.m.Rect.Dx(), d.m.Rect.Dy())
	d.raster.DrawOp = draw.Over
	x, y := place(outline[0])
	d.raster.MoveTo(x, y)
	for _, p := range outline[1:] {
		x, y := place(p)
		d.raster.LineTo(x, y)
	}
	d.raster.ClosePath()
	d.raster.Draw(d.m, d.m.Rect, image.NewUniform(paint), image.Point{})
}

// circle returns an outline with enough corners to look round.
func circle(x, y, radius float64) []point { return arc(nil, x, y, radius, 0, 2*math.Pi) }

// rounded returns a rectangle with rounded corners.
func rounded(x0, y0, x1, y1, radius float64) (outline []point) {
	for i, corner := range []point{{x1 - radius, y1 - radius}, {x0 + radius, y1 - radius}, {x0 + radius, y0 + radius}, {x1 - radius, y0 + radius}} {
		outline = arc(outline, corner.x, corner.y, radius, float64(i)*math.Pi/2, float64(i+1)*math.Pi/2)
	}
	return outline
}

func arc(outline []point, x, y, radius, from, to float64) []point {
	const steps = 48
	for i := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/steps)
		outline = append(outline, point{x + radius*cos, y + radius*sin})
	}
	return outline
}
