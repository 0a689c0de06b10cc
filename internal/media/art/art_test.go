package art

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"stoa/internal/media/picture"
	"stoa/internal/media/picture/picturetest"
)

func TestUsed(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 1, 4: 4, 8: 4, 9: 9, 15: 9, 16: 16, 400: 16} {
		if got := Used(n); got != want {
			t.Errorf("of %d: got %d, want %d", n, got, want)
		}
	}
}

func photo(width, height int) Item {
	data := picturetest.JPEG(picturetest.Scene(width, height), nil)
	return Item{Picture: func(context.Context) ([]byte, error) { return data, nil }}
}

func TestCover(t *testing.T) {
	p := picture.NewProcessor(picture.DefaultLimits())
	// Images whose center has the shape of a cell and contains a whole scene,
	// approximately.
	full := photo(1920, 1080)
	for _, c := range []struct {
		name  string
		items []Item
		// the expected positions of a disc of the scene in the first and in the last cell
		first, last image.Point
	}{
		{"four", []Item{full, {Text: "second"}, {Text: "third"}, full}, image.Pt(270, 270), image.Pt(3840-270, 2160-270)},
		{"sixteen", repeat(full, 16), image.Pt(135, 135), image.Pt(3840-135, 2160-135)},
	} {
		got, err := Cover(t.Context(), p, c.items)
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(got.Native))
		if err != nil || m.Bounds() != image.Rect(0, 0, 3840, 2160) {
			t.Fatalf("%s: %v, %v", c.name, m, err)
		}
		for at, want := range map[image.Point]color.RGBA{c.first: picturetest.TopLeft, c.last: picturetest.BottomRight} {
			if rgb := color.RGBAModel.Convert(m.At(at.X, at.Y)).(color.RGBA); !picturetest.Near(rgb, want, 12) {
				t.Errorf("%s: at %v %v, want %v", c.name, at, rgb, want)
			}
		}
		if len(got.Thumbnails) != len(picture.Sizes) {
			t.Errorf("%s: %d thumbnails", c.name, len(got.Thumbnails))
		}
	}
}

func repeat(item Item, n int) (items []Item) {
	for range n {
		items = append(items, item)
	}
	return items
}

func TestCoverOfOne(t *testing.T) {
	p := picture.NewProcessor(picture.DefaultLimits())
	one := photo(300, 200)
	got, err := Cover(t.Context(), p, []Item{one})
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := one.Picture(t.Context()); !bytes.Equal(got.Native, data) {
		t.Error("the picture is not what was given")
	}
	got, err = Cover(t.Context(), p, []Item{{Text: "All quiet"}})
	if err != nil || got.Width != 3840 || got.Height != 2160 {
		t.Errorf("text: %+v, %v", got, err)
	}
}

func TestCoverRefuses(t *testing.T) {
	p := picture.NewProcessor(picture.DefaultLimits())
	for _, n := range []int{0, 2, 5, 17} {
		if _, err := Cover(t.Context(), p, make([]Item, n)); err == nil {
			t.Errorf("%d items were accepted", n)
		}
	}
	gone := errors.New("gone")
	items := repeat(photo(64, 36), 4)
	items[2].Picture = func(context.Context) ([]byte, error) { return nil, gone }
	if _, err := Cover(t.Context(), p, items); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
