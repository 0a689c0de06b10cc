package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"stoa/internal/media/picture/picturetest"
	"stoa/internal/media/picture/raster"
)

func flat(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 320, 240))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func TestPalette(t *testing.T) {
	half := flat(color.RGBA{200, 40, 60, 255})
	draw.Draw(half, image.Rect(0, 0, 100, 240), image.NewUniform(color.RGBA{20, 90, 180, 255}), image.Point{}, draw.Src)
	framed := flat(color.White)
	draw.Draw(framed, image.Rect(100, 100, 120, 120), image.NewUniform(color.RGBA{20, 90, 180, 255}), image.Point{}, draw.Src)
	night := flat(color.Black) // noise and a few lights
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		night.Set(random.IntN(320), random.IntN(240), color.Gray{uint8(random.IntN(6))})
	}
	for range 300 {
		night.Set(random.IntN(320), random.IntN(240), color.RGBA{255, 240, uint8(random.IntN(256)), 255})
	}
	red, blue, black := Color{200, 40, 60}, Color{20, 90, 180}, Color{1, 1, 1}
	for _, c := range []struct {
		name string
		m    image.Image
		want []Color // the first ones
	}{
		{"one colour", flat(color.RGBA{200, 40, 60, 255}), []Color{red, red, red, red, red}},
		{"two colours", half, []Color{red, blue}},
		{"on white", framed, []Color{blue}},
		{"black", flat(color.Black), []Color{black}},
		{"night", night, []Color{black}},
	} {
		got := palette(raster.FromImage(c.m))
		if len(got) != 5 {
			t.Errorf("%s: %d colours", c.name, len(got))
			continue
		}
		for i, want := range c.want {
			g, w := color.RGBA{got[i].R, got[i].G, got[i].B, 255}, color.RGBA{want.R, want.G, want.B, 255}
			if !picturetest.Near(g, w, 3) {
				t.Errorf("%s: colour %d is %v, want %v", c.name, i, g, w)
			}
		}
	}
}

func TestPaletteOfWhite(t *testing.T) {
	clear := image.NewNRGBA(image.Rect(0, 0, 30, 30))
	for name, m := range map[string]image.Image{"white": flat(color.White), "nearly white": flat(color.Gray{252}), "transparent": clear} {
		if got := palette(raster.FromImage(m)); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The palette of a landscape has five colors that occur in it.
func TestPaletteOfScene(t *testing.T) {
	scene := picturetest.Scene(320, 240)
	colors := palette(raster.FromImage(scene))
	seen := map[Color]bool{}
	for _, c := range colors {
		if seen[c] {
			t.Errorf("%v twice", c)
		}
		seen[c] = true
		found := false
		for y := range 240 {
			for x := range 320 {
				found = found || picturetest.Near(scene.RGBAAt(x, y), color.RGBA{c.R, c.G, c.B, 255}, 24)
			}
		}
		if !found {
			t.Errorf("no pixel is like %v", c)
		}
	}
	if len(colors) != 5 {
		t.Errorf("got %v", colors)
	}
}
