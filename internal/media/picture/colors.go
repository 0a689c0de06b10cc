package picture

import (
	"cmp"
	"image/color"
	"slices"

	"stoa/internal/media/picture/raster"
)

// Color is one of a picture's representative colors.
type Color struct{ R, G, B uint8 }

const (
	paletteSize = 5
	// sampled is the approximate number of pixels that are examined.
	sampled = 200_000
	// nearWhite is the value that all channels of near-white pixels exceed, which are
	// usually background.
	nearWhite = 250

	binBits = 5
	bins    = 1 << binBits
)

// palette returns five colors, the most common first, or nil for a picture that is all
// white. It uses median cut: it repeatedly splits the color space where half of the pixels
// are on either side, and takes the mean of each part. A picture with fewer colors repeats
// them.
func palette(r *raster.Raster) []Color {
	whole := newHistogram(r).box(cube{high: [3]int{bins - 1, bins - 1, bins - 1}})
	if whole.count == 0 {
		return nil
	}
	boxes := []*box{whole}
	for len(boxes) < paletteSize {
		// Large groups are split first, then those that cover most of the color space.
		weight := func(b *box) int { return b.count }
		if len(boxes) == paletteSize-1 {
			weight = func(b *box) int { return b.count * b.volume() }
		}
		best := -1
		for i, b := range boxes {
			if b.volume() > 1 && (best < 0 || weight(b) > weight(boxes[best])) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		left, right := boxes[best].split()
		boxes = append(slices.Delete(boxes, best, best+1), left, right)
	}
	slices.SortStableFunc(boxes, func(a, b *box) int { return cmp.Compare(b.count, a.count) })
	colors := make([]Color, paletteSize)
	for i := range colors {
		colors[i] = boxes[i%len(boxes)].mean()
	}
	return colors
}

// histogram counts pixels by color, in bins of 8×8×8.
type histogram [bins * bins * bins]bin

type bin struct {
	count int
	sum   [3]int
}

func newHistogram(r *raster.Raster) *histogram {
	h := &histogram{}
	step := 1
	for (r.Width/step+1)*(r.Height/step+1) > sampled {
		step++
	}
	luma := r.Planes[0]
	for y := step / 2; y < r.Height; y += step {
		for x := step / 2; x < r.Width; x += step {
			l := luma.Pix[y*luma.Stride+x]
			c := [3]uint8{l, l, l}
			if len(r.Planes) == 3 {
				at := y/r.StepY*r.Planes[1].Stride + x/r.StepX
				c[0], c[1], c[2] = color.YCbCrToRGB(l, r.Planes[1].Pix[at], r.Planes[2].Pix[at])
			}
			if min(c[0], c[1], c[2]) > nearWhite {
				continue
			}
			b := &h[index(int(c[0])*bins/256, int(c[1])*bins/256, int(c[2])*bins/256)]
			b.count++
			for i, v := range c {
				b.sum[i] += int(v)
			}
		}
	}
	return h
}

func index(r, g, b int) int { return r<<(2*binBits) | g<<binBits | b }

// cube is a range of bins, inclusive.
type cube struct{ low, high [3]int }

func (c cube) each(visit func(at [3]int)) {
	for r := c.low[0]; r <= c.high[0]; r++ {
		for g := c.low[1]; g <= c.high[1]; g++ {
			for b := c.low[2]; b <= c.high[2]; b++ {
				visit([3]int{r, g, b})
			}
		}
	}
}

// box is the smallest cube around some pixels, with their number.
type box struct {
	cube
	histogram *histogram
	bin
}

func (h *histogram) box(c cube) *box {
	b := &box{cube: cube{low: [3]int{bins, bins, bins}, high: [3]int{-1, -1, -1}}, histogram: h}
	c.each(func(at [3]int) {
		found := h[index(at[0], at[1], at[2])]
		if found.count == 0 {
			return
		}
		b.count += found.count
		for i := range at {
			b.sum[i] += found.sum[i]
			b.low[i], b.high[i] = min(b.low[i], at[i]), max(b.high[i], at[i])
		}
	})
	return b
}

func (b *box) volume() int {
	v := 1
	for i := range b.low {
		v *= b.high[i] - b.low[i] + 1
	}
	return v
}

// split splits the longest side, as near to the median as leaves pixels on both sides.
func (b *box) split() (*box, *box) {
	side := 0
	for i := range b.low {
		if b.high[i]-b.low[i] > b.high[side]-b.low[side] {
			side = i
		}
	}
	var along [bins]int
	b.each(func(at [3]int) { along[at[side]] += b.histogram[index(at[0], at[1], at[2])].count })
	cut, seen := b.low[side], along[b.low[side]]
	for cut+1 < b.high[side] && seen < b.count/2 {
		cut++
		seen += along[cut]
	}
	left, right := b.cube, b.cube
	left.high[side], right.low[side] = cut, cut+1
	return b.histogram.box(left), b.histogram.box(right)
}

// mean returns the average color of the box. No channel of it is 0: clients treat such a
// color as missing, and 1 is indistinguishable from 0.
func (b *box) mean() Color {
	channel := func(i int) uint8 { return uint8(max(1, (2*b.sum[i]+b.count)/(2*b.count))) }
	return Color{channel(0), channel(1), channel(2)}
}
