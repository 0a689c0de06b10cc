package raster

import "math"

// Fitted returns the picture scaled down to fit into a box. A picture that fits is returned
// unchanged, never enlarged.
func (r *Raster) Fitted(boxWidth, boxHeight int) *Raster {
	width, height := Fit(r.Width, r.Height, boxWidth, boxHeight)
	return r.Resized(width, height)
}

// Fit returns the size of a picture scaled down to fit into a box: one side equals the
// box's, the other preserves the aspect ratio as closely as possible.
func Fit(width, height, boxWidth, boxHeight int) (int, int) {
	switch {
	case width <= boxWidth && height <= boxHeight:
		return width, height
	case width*boxHeight >= height*boxWidth:
		return boxWidth, max(1, (2*height*boxWidth+width)/(2*width))
	default:
		return max(1, (2*width*boxHeight+height)/(2*height)), boxHeight
	}
}

// Filled returns the largest centred part of the picture with the aspect ratio of the box,
// scaled to its size.
func (r *Raster) Filled(boxWidth, boxHeight int) *Raster {
	width, height := r.Width, r.Height
	if width*boxHeight > height*boxWidth {
		width = max(1, (2*height*boxWidth+boxHeight)/(2*boxHeight))
	} else {
		height = max(1, (2*width*boxHeight+boxWidth)/(2*boxWidth))
	}
	// Use even positions, where there are chroma samples.
	x, y := (r.Width-width)/2&^1, (r.Height-height)/2&^1
	return r.Cut(rect(x, y, width, height)).Resized(boxWidth, boxHeight)
}

// Resized returns the picture in another size and, if it has chroma, with chroma of half
// the resolution in both directions, as in JPEG files.
func (r *Raster) Resized(width, height int) *Raster {
	if width == r.Width && height == r.Height {
		return r
	}
	out := &Raster{Width: width, Height: height, StepX: 2, StepY: 2, Planes: make([]Plane, len(r.Planes))}
	if len(r.Planes) == 1 {
		out.StepX, out.StepY = 1, 1
	}
	for i := range out.Planes {
		// The number of source samples per new sample.
		scaleX, scaleY := float64(r.Width)/float64(width), float64(r.Height)/float64(height)
		if i > 0 {
			scaleX *= float64(out.StepX) / float64(r.StepX)
			scaleY *= float64(out.StepY) / float64(r.StepY)
		}
		w, h := out.planeSize(i)
		out.Planes[i] = *resample(&r.Planes[i], w, h, scaleX, scaleY)
	}
	return out
}

// resample returns a plane of width by height samples, each for scaleX by scaleY samples of
// p.
func resample(p *Plane, width, height int, scaleX, scaleY float64) *Plane {
	return down(across(p, width, scaleX), height, scaleY)
}

// lobes is the extent of the Lanczos kernel, in samples of the coarser side.
const lobes = 3

func lanczos(x float64) float64 {
	if x == 0 {
		return 1
	}
	if x <= -lobes || x >= lobes {
		return 0
	}
	x *= math.Pi
	return lobes * math.Sin(x) * math.Sin(x/lobes) / (x * x)
}

// window is the range of source samples of one new sample, and their weights in units of
// 1/one. All windows of an axis have the same number of weights.
type window struct {
	start   int
	weights []int32
}

const (
	oneBits = 14
	one     = 1 << oneBits
)

// windows returns the windows of count new samples along an axis of n samples.
func windows(n, count int, scale float64) []window {
	stretch := math.Max(1, scale)
	taps := min(n, 2*int(math.Ceil(lobes*stretch))+1)
	found := make([]window, count)
	weights := make([]int32, count*taps)
	exact := make([]float64, taps)
	for i := range found {
		centre := (float64(i)+0.5)*scale - 0.5
		start := int(math.Ceil(centre - lobes*stretch))
		start = max(0, min(start, n-taps))
		sum := 0.0
		for k := range exact {
			exact[k] = lanczos((float64(start+k) - centre) / stretch)
			sum += exact[k]
		}
		w := weights[i*taps:][:taps:taps]
		// The rounding error is added to the heaviest sample, so that flat areas are
		// preserved.
		left, heaviest := int32(one), 0
		for k := range exact {
			w[k] = int32(math.Round(exact[k] / sum * one))
			left -= w[k]
			if w[k] > w[heaviest] {
				heaviest = k
			}
		}
		w[heaviest] += left
		found[i] = window{start, w}
	}
	return found
}

// across resamples the rows of a plane.
func across(p *Plane, width int, scale float64) *Plane {
	if width == p.Width && scale == 1 {
		return p
	}
	out := &Plane{Width: width, Height: p.Height, Stride: width, Pix: make([]byte, width*p.Height)}
	axis := windows(p.Width, width, scale)
	for y := range out.Height {
		row, source := out.row(y), p.row(y)
		for x := range row {
			w := &axis[x]
			samples := source[w.start:][:len(w.weights)]
			sum := int32(one / 2)
			for k, weight := range w.weights {
				sum += weight * int32(samples[k])
			}
			row[x] = clamp(sum >> oneBits)
		}
	}
	return out
}

// down resamples the columns of a plane, a row at a time.
func down(p *Plane, height int, scale float64) *Plane {
	if height == p.Height && scale == 1 {
		return p
	}
	out := &Plane{Width: p.Width, Height: height, Stride: p.Width, Pix: make([]byte, p.Width*height)}
	sums := make([]int32, p.Width)
	for y, w := range windows(p.Height, height, scale) {
		for x := range sums {
			sums[x] = one / 2
		}
		for k, weight := range w.weights {
			if weight == 0 {
				continue
			}
			source := p.row(w.start + k)
			for x, sample := range source[:len(sums)] {
				sums[x] += weight * int32(sample)
			}
		}
		row := out.row(y)
		for x, sum := range sums {
			row[x] = clamp(sum >> oneBits)
		}
	}
	return out
}

func clamp(v int32) byte {
	if uint32(v) > 255 {
		return byte(^(v >> 31)) // 0 below, 255 above
	}
	return byte(v)
}
