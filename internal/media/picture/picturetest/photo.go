package picturetest

import (
	"image"
	"image/color"
	"math/rand/v2"
)

// Photo returns a picture with as much detail as a photo: noise of all wavelengths,
// stronger for longer ones. It compresses as badly as one.
func Photo(width, height int) *image.RGBA {
	random := rand.New(rand.NewPCG(7, 7))
	const octaves = 8
	var lattices [octaves][]float32
	for o := range lattices {
		step := 512 >> o
		lattices[o] = make([]float32, (width/step+2)*(height/step+2)*3)
		for i := range lattices[o] {
			lattices[o][i] = random.Float32() - 0.5
		}
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var sum [3]float32
			strength := float32(150)
			for o, lattice := range lattices {
				step := 512 >> o
				columns := width/step + 2
				at := (y/step*columns + x/step) * 3
				u, v := float32(x%step)/float32(step), float32(y%step)/float32(step)
				for c := range sum {
					top := lattice[at+c]*(1-u) + lattice[at+3+c]*u
					bottom := lattice[at+columns*3+c]*(1-u) + lattice[at+columns*3+3+c]*u
					sum[c] += strength * (top*(1-v) + bottom*v)
				}
				strength *= 0.75
			}
			channel := func(v float32) uint8 { return uint8(max(0, min(255, 128+v+float32(random.IntN(9))-4))) }
			l := sum[0]
			m.SetRGBA(x, y, color.RGBA{channel(l), channel(l*0.8 + sum[1]*0.3), channel(l*0.7 + sum[2]*0.4), 255})
		}
	}
	return m
}
