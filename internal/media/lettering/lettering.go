// Package lettering draws texts as pictures: white on black, centred, in Open Sans.
//
// Texts are reflowed: line breaks count as spaces.
package lettering

import (
	_ "embed"
	"image"
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Open Sans Regular, digitized data copyright 2010-2011 Google Corporation, under the
// Apache License 2.0 (LICENSE.OpenSans).
//
//go:embed OpenSans-Regular.ttf
var openSans []byte

var parsed = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(openSans) })

const (
	// longest is the number of runes of a text that are drawn. More would be illegible.
	longest = 10_000
	// longestWord is the length at which words are broken, in runes.
	longestWord = 40
	// filled is the maximum part of either side that a text takes.
	filled = 0.9
	// leading is the line height relative to the font size.
	leading = 1.36
)

// Draw returns a picture of a text.
func Draw(text string, width, height int) (*image.Gray, error) {
	picture := image.NewGray(image.Rect(0, 0, width, height))
	words := words(text)
	if len(words) == 0 {
		return picture, nil
	}
	f, err := parsed()
	if err != nil {
		return nil, err
	}
	size := float64(height) / 10
	face, err := faceOf(f, size)
	if err != nil {
		return nil, err
	}
	b := wrap(face, words, size*leading, float64(width)/float64(height))
	// Everything is proportional to the font size, so oversized texts are scaled down at
	// once.
	scale := math.Min(1, math.Min(filled*float64(width)/b.width, filled*float64(height)/(size*leading*float64(len(b.lines)))))
	if size *= scale; scale < 1 {
		if face, err = faceOf(f, size); err != nil {
			return nil, err
		}
	}
	m := face.Metrics()
	top := (float64(height) - size*leading*float64(len(b.lines))) / 2
	for n, line := range b.lines {
		left := (float64(width) - pixels(font.MeasureString(face, line))) / 2
		middle := top + size*leading*(float64(n)+0.5)
		baseline := middle + (pixels(m.Ascent)-pixels(m.Descent))/2
		write(picture, face, line, fixed.Point26_6{X: toFixed(left), Y: toFixed(baseline)})
	}
	return picture, nil
}

func faceOf(f *opentype.Font, size float64) (font.Face, error) {
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
}

func pixels(v fixed.Int26_6) float64  { return float64(v) / 64 }
func toFixed(v float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(v * 64)) }

// words returns the words of the text, without characters that have no glyphs.
func words(text string) (found []string) {
	runes := []rune(text)
	if len(runes) > longest {
		runes = append(runes[:longest], '…')
	}
	visible := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, string(runes))
	for _, word := range strings.Fields(visible) {
		for r := []rune(word); len(r) > 0; {
			n := min(len(r), longestWord)
			found, r = append(found, string(r[:n])), r[n:]
		}
	}
	return found
}

// block is a text in lines.
type block struct {
	lines []string
	width float64 // width of the longest line
}

// wrap breaks lines so that the block has about the aspect ratio of the picture.
func wrap(face font.Face, words []string, lineHeight, aspect float64) block {
	space := pixels(font.MeasureString(face, " "))
	widths := make([]float64, len(words))
	total := 0.0
	for i, word := range words {
		widths[i] = pixels(font.MeasureString(face, word))
		total += widths[i] + space
	}
	// A block of n lines is total/n wide and n lines high.
	lines := math.Max(1, math.Round(math.Sqrt(total/(lineHeight*aspect))))
	target := total/lines + space

	var b block
	var line []string
	width := 0.0
	end := func() {
		b.lines = append(b.lines, strings.Join(line, " "))
		b.width = math.Max(b.width, width)
		line, width = nil, 0
	}
	for i, word := range words {
		if len(line) > 0 && width+space+widths[i] > target {
			end()
		}
		if len(line) > 0 {
			width += space
		}
		line, width = append(line, word), width+widths[i]
	}
	end()
	b.width = math.Max(b.width, 1)
	return b
}

// write draws a line from the dot on its baseline.
func write(picture *image.Gray, face font.Face, line string, dot fixed.Point26_6) {
	previous := rune(-1)
	for _, r := range line {
		if previous >= 0 {
			dot.X += face.Kern(previous, r)
		}
		area, mask, at, advance, ok := face.Glyph(dot, r)
		if alpha, isAlpha := mask.(*image.Alpha); ok && isAlpha {
			inside := area.Intersect(picture.Rect)
			for y := inside.Min.Y; y < inside.Max.Y; y++ {
				to := picture.Pix[picture.PixOffset(inside.Min.X, y):]
				from := alpha.Pix[alpha.PixOffset(at.X+inside.Min.X-area.Min.X, at.Y+y-area.Min.Y):]
				for x := range inside.Dx() {
					to[x] = max(to[x], from[x])
				}
			}
		}
		dot.X += advance
		previous = r
	}
}
