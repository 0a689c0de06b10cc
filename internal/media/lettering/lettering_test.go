package lettering

import (
	"image"
	"strings"
	"testing"
)

// ink returns the bounding box of all pixels that are not black.
func ink(m *image.Gray) image.Rectangle {
	var found image.Rectangle
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if m.GrayAt(x, y).Y > 40 {
				found = found.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return found
}

func TestDraw(t *testing.T) {
	sentence := "The light on the hills lasted until nine and then, all at once, it was dark. "
	for _, c := range []struct {
		name   string
		text   string
		height [2]int // minimum and maximum height of the ink, of 540
	}{
		{"short", "Hi", [2]int{30, 60}},
		{"sentence", sentence, [2]int{150, 500}},
		{"long", strings.Repeat(sentence, 20), [2]int{300, 500}},
		{"very long", strings.Repeat(sentence, 5000), [2]int{300, 500}},
		{"a word without end", strings.Repeat("x", 100_000), [2]int{200, 500}},
		{"line breaks", strings.ReplaceAll(sentence, " ", "\n\n"), [2]int{150, 500}},
		{"other scripts", "Привет мир Ελλάδα", [2]int{30, 400}},
	} {
		m, err := Draw(c.text, 960, 540)
		if err != nil {
			t.Fatal(err)
		}
		got := ink(m)
		if got.Dx() > 960*9/10+2 || got.Dy() < c.height[0] || got.Dy() > c.height[1] {
			t.Errorf("%s: text covers %v", c.name, got)
		}
		if left, right := got.Min.X, 960-got.Max.X; abs(left-right) > 40 {
			t.Errorf("%s: %d pixels to the left, %d to the right", c.name, left, right)
		}
		if top, bottom := got.Min.Y, 540-got.Max.Y; abs(top-bottom) > 40 {
			t.Errorf("%s: %d pixels above, %d below", c.name, top, bottom)
		}
	}
}

func abs(v int) int { return max(v, -v) }

func TestNothingToDraw(t *testing.T) {
	for _, text := range []string{"", " \n\t ", "\u200d\ufe0f"} {
		m, err := Draw(text, 96, 54)
		if err != nil {
			t.Fatal(err)
		}
		if got := ink(m); !got.Empty() {
			t.Errorf("%q: drew %v", text, got)
		}
	}
}

// The same text looks the same in another size with the same aspect ratio.
func TestSizes(t *testing.T) {
	small, _ := Draw("Two lines of text, or maybe three", 480, 270)
	large, _ := Draw("Two lines of text, or maybe three", 1920, 1080)
	a, b := ink(small), ink(large)
	if abs(a.Dx()*4-b.Dx()) > 24 || abs(a.Dy()*4-b.Dy()) > 24 {
		t.Errorf("covers %v in one, %v in four times the size", a, b)
	}
}

func TestWords(t *testing.T) {
	got := words("one\ttwo\r\nthree " + strings.Repeat("w", 2*longestWord+1) + "\u0000")
	want := []string{"one", "two", "three", strings.Repeat("w", longestWord), strings.Repeat("w", longestWord), "w"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q", got)
	}
}
