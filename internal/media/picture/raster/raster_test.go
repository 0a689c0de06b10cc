package raster

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"stoa/internal/media/picture/picturetest"
)

// numbered returns an image in which each sample differs from its neighbours.
func numbered(width, height, stepX, stepY, planes int) *Raster {
	r := New(width, height, stepX, stepY, planes)
	for i := range r.Planes {
		p := &r.Planes[i]
		for y := range p.Height {
			for x := range p.Width {
				p.row(y)[x] = byte(37*x + 11*y + 101*i)
			}
		}
	}
	return r
}

// same reports the first pixel at which two images differ by more than tolerance.
func same(t *testing.T, name string, got, want image.Image, tolerance int) {
	t.Helper()
	if got.Bounds().Size() != want.Bounds().Size() {
		t.Errorf("%s: got %v, want %v", name, got.Bounds().Size(), want.Bounds().Size())
		return
	}
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			a := color.RGBAModel.Convert(got.At(got.Bounds().Min.X+x, got.Bounds().Min.Y+y)).(color.RGBA)
			b := color.RGBAModel.Convert(want.At(want.Bounds().Min.X+x, want.Bounds().Min.Y+y)).(color.RGBA)
			if !picturetest.Near(a, b, tolerance) {
				t.Errorf("%s: at %d,%d got %v, want %v", name, x, y, a, b)
				return
			}
		}
	}
}

// moved returns an image whose pixels come from the positions returned by from.
func moved(m image.Image, width, height int, from func(x, y int) (int, int)) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			out.Set(x, y, m.At(from(x, y)))
		}
	}
	return out
}

func TestOriented(t *testing.T) {
	for _, kind := range []struct{ stepX, stepY, planes int }{{2, 2, 3}, {2, 1, 3}, {1, 2, 3}, {1, 1, 3}, {1, 1, 1}} {
		for _, size := range []image.Point{{8, 6}, {70, 40}} {
			w, h := size.X, size.Y
			r := numbered(w, h, kind.stepX, kind.stepY, kind.planes)
			m := r.Image()
			for orientation, want := range map[int]image.Image{
				0: m, 1: m, 9: m,
				2: moved(m, w, h, func(x, y int) (int, int) { return w - 1 - x, y }),
				3: moved(m, w, h, func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }),
				4: moved(m, w, h, func(x, y int) (int, int) { return x, h - 1 - y }),
				5: moved(m, h, w, func(x, y int) (int, int) { return y, x }),
				6: moved(m, h, w, func(x, y int) (int, int) { return y, h - 1 - x }),
				7: moved(m, h, w, func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }),
				8: moved(m, h, w, func(x, y int) (int, int) { return w - 1 - y, x }),
			} {
				same(t, fmt.Sprintf("%v of %v to %d", size, kind, orientation), r.Oriented(orientation).Image(), want, 0)
			}
		}
	}
}

// With odd dimensions, chroma of half the resolution would be off by a pixel.
func TestMirroredKeepsChromaInPlace(t *testing.T) {
	scene := picturetest.Scene(61, 41)
	r := FromImage(scene).HalfChroma()
	for _, orientation := range []int{2, 3, 4, 6, 7, 8} { // 5 mirrors nothing
		got, want := r.Oriented(orientation).Image(), r.FullChroma().Oriented(orientation).Image()
		if d := distance(got, want); got.Bounds() != want.Bounds() || d > 4 {
			t.Errorf("orientation %d: %v, want %v; pixels differ by %.1f on average", orientation, got.Bounds(), want.Bounds(), d)
		}
	}
}

func TestCut(t *testing.T) {
	r := numbered(40, 30, 2, 2, 3)
	m := r.Image().(*image.YCbCr)
	for _, area := range []image.Rectangle{image.Rect(0, 0, 40, 30), image.Rect(2, 4, 30, 20), image.Rect(10, 0, 13, 29)} {
		same(t, area.String(), r.Cut(area).Image(), m.SubImage(area), 0)
	}
	// At odd positions, luma is exact and chroma is interpolated.
	scene := FromImage(picturetest.Scene(120, 90)).HalfChroma()
	for _, area := range []image.Rectangle{image.Rect(1, 0, 100, 70), image.Rect(0, 7, 31, 9), image.Rect(5, 5, 6, 6)} {
		got := scene.Cut(area)
		same(t, area.String(), got.Image(), scene.FullChroma().Cut(area).Image(), 0)
		if got.Planes[0].Pix[0] != scene.Planes[0].row(area.Min.Y)[area.Min.X] {
			t.Errorf("%v: luma changed", area)
		}
	}
}

func TestFit(t *testing.T) {
	type size struct{ w, h int }
	for _, c := range []struct{ from, box, want size }{
		{size{4000, 2000}, size{3840, 2160}, size{3840, 1920}},
		{size{3840, 1920}, size{1920, 1080}, size{1920, 960}},
		{size{1920, 960}, size{854, 480}, size{854, 427}},
		{size{854, 427}, size{114, 64}, size{114, 57}},
		{size{4032, 3024}, size{3840, 2160}, size{2880, 2160}},
		{size{2880, 2160}, size{1920, 1080}, size{1440, 1080}},
		{size{1440, 1080}, size{854, 480}, size{640, 480}},
		{size{640, 480}, size{114, 64}, size{85, 64}},
		{size{2, 3}, size{3840, 2160}, size{2, 3}},
		{size{10000, 1}, size{114, 64}, size{114, 1}},
		{size{1, 10000}, size{114, 64}, size{1, 64}},
		{size{114, 64}, size{114, 64}, size{114, 64}},
		{size{115, 64}, size{114, 64}, size{114, 63}},
	} {
		if w, h := Fit(c.from.w, c.from.h, c.box.w, c.box.h); (size{w, h}) != c.want {
			t.Errorf("%v in %v: got %d x %d, want %v", c.from, c.box, w, h, c.want)
		}
	}
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		n, count int
		scale    float64
	}{{4032, 2880, 1.4}, {100, 33, 100.0 / 33}, {5, 2, 2.5}, {1, 1, 1}, {1, 4, 0.25}, {10, 40, 0.25}, {7, 1, 7}} {
		for i, w := range windows(c.n, c.count, c.scale) {
			sum := int32(0)
			for _, weight := range w.weights {
				sum += weight
			}
			if sum != one || w.start < 0 || w.start+len(w.weights) > c.n {
				t.Fatalf("%v: window %d starts at %d and has %d weights of %d", c, i, w.start, len(w.weights), sum)
			}
		}
	}
}

func TestResizedKeepsFlatColours(t *testing.T) {
	r := New(37, 23, 2, 2, 3)
	for i, v := range []byte{200, 90, 170} {
		for j := range r.Planes[i].Pix {
			r.Planes[i].Pix[j] = v
		}
	}
	for _, size := range []image.Point{{10, 10}, {36, 22}, {80, 100}, {1, 1}} {
		for i, p := range r.Resized(size.X, size.Y).Planes {
			for _, v := range p.Pix {
				if v != r.Planes[i].Pix[0] {
					t.Fatalf("%v: plane %d has %d", size, i, v)
				}
			}
		}
	}
}

// Scaling an image keeps its content in place.
func TestResizedScene(t *testing.T) {
	big, small := picturetest.Scene(800, 600), picturetest.Scene(200, 150)
	for name, r := range map[string]*Raster{
		"reduced":                    FromImage(big).Resized(200, 150),
		"reduced with little chroma": FromImage(big).HalfChroma().Resized(200, 150),
		"enlarged":                   FromImage(picturetest.Scene(100, 75)).Resized(200, 150),
		"unchanged":                  FromImage(small).Resized(200, 150),
	} {
		if d := distance(r.Image(), small); d > 8 {
			t.Errorf("%s: pixels differ by %.1f on average", name, d)
		}
		for i, got := range picturetest.Corners(r.Image()) {
			if want := picturetest.Corners(small)[i]; !picturetest.Near(got, want, 6) {
				t.Errorf("%s: corner %d is %v, want %v", name, i, got, want)
			}
		}
	}
}

// distance returns the root mean square of the differences.
func distance(a, b image.Image) float64 {
	sum, n := 0.0, 0.0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			p, q := color.RGBAModel.Convert(a.At(x, y)).(color.RGBA), color.RGBAModel.Convert(b.At(x, y)).(color.RGBA)
			for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
				sum += float64(d * d)
				n++
			}
		}
	}
	return math.Sqrt(sum / n)
}

func TestFilled(t *testing.T) {
	wide := FromImage(picturetest.Scene(400, 100)).Filled(160, 90)
	tall := FromImage(picturetest.Scene(100, 400)).Filled(160, 90)
	for name, r := range map[string]*Raster{"wide": wide, "tall": tall} {
		if r.Width != 160 || r.Height != 90 {
			t.Errorf("%s: %d x %d", name, r.Width, r.Height)
		}
	}
	same(t, "middle", wide.Image(), FromImage(picturetest.Scene(400, 100)).Cut(image.Rect(110, 0, 288, 100)).Resized(160, 90).Image(), 0)
}

func TestFromImage(t *testing.T) {
	scene := picturetest.Scene(65, 130) // more than a band, and odd
	gray := image.NewGray(scene.Rect)
	nrgba := image.NewNRGBA(scene.Rect)
	cmyk := image.NewCMYK(scene.Rect)
	deep := image.NewNRGBA64(scene.Rect)
	for y := range 130 {
		for x := range 65 {
			for _, m := range []interface{ Set(x, y int, c color.Color) }{gray, nrgba, cmyk, deep} {
				m.Set(x, y, scene.At(x, y))
			}
		}
	}
	same(t, "RGBA", FromImage(scene).Image(), scene, 3)
	same(t, "Gray", FromImage(gray).Image(), gray, 0)
	same(t, "NRGBA", FromImage(nrgba).Image(), scene, 3)
	same(t, "CMYK", FromImage(cmyk).Image(), scene, 3)
	same(t, "NRGBA64", FromImage(deep).Image(), scene, 3)
	same(t, "part", FromImage(scene.SubImage(image.Rect(3, 5, 50, 100))).Image(), scene.SubImage(image.Rect(3, 5, 50, 100)), 3)
	half := FromImage(scene).HalfChroma().Image().(*image.YCbCr)
	same(t, "YCbCr", FromImage(half).Image(), half, 0)
	same(t, "part of YCbCr", FromImage(half.SubImage(image.Rect(1, 1, 30, 30))).Image(), half.SubImage(image.Rect(1, 1, 30, 30)), 3)

	clear := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	clear.Set(0, 0, color.NRGBA{255, 0, 0, 0})
	clear.Set(1, 0, color.NRGBA{0, 0, 0, 128})
	white := image.NewGray(clear.Rect)
	copy(white.Pix, []byte{255, 127})
	same(t, "transparent", FromImage(clear).Image(), white, 2)
}

func TestPasteRefuses(t *testing.T) {
	canvas := New(20, 20, 2, 2, 3)
	for name, c := range map[string]struct {
		from *Raster
		at   image.Point
	}{
		"another resolution of chroma": {New(4, 4, 1, 1, 3), image.Pt(0, 0)},
		"no chroma":                    {New(4, 4, 2, 2, 1), image.Pt(0, 0)},
		"between chroma samples":       {New(4, 4, 2, 2, 3), image.Pt(1, 0)},
		"outside":                      {New(4, 4, 2, 2, 3), image.Pt(0, -2)},
	} {
		if canvas.Paste(c.from, c.at) {
			t.Errorf("%s was pasted", name)
		}
	}
	if !canvas.Paste(numbered(8, 8, 2, 2, 3), image.Pt(16, 30)) { // clipped at the edge
		t.Error("the edge was refused")
	}
}
