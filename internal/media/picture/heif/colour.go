package heif

import (
	"math"

	"stoa/internal/media/picture/raster"
)

// matrix is the relation of luma and chroma to red, green and blue.
type matrix struct {
	kr, kb  float64
	limited bool
}

// jfif is the matrix of JPEG files.
var jfif = matrix{kr: 0.299, kb: 0.114}

// colours reads the colour profile and the matrix from the primary picture or, if it has
// none, from its first tile.
func (f *File) colours(primary *item) {
	for _, i := range []*item{f.tiles[0], primary} { // the latter takes precedence
		for _, index := range i.properties {
			p := f.meta.properties[index]
			if p.kind != "colr" || len(p.content) < 4 {
				continue
			}
			r := &reader{b: p.content[4:]}
			switch string(p.content[:4]) {
			case "prof", "rICC":
				f.ICC = r.b
			case "nclx":
				r.take(4) // primaries and transfer, which the profile determines
				m := matrixOf(r.u16(), r.u8()&0x80 == 0)
				f.matrix = &m
			}
		}
	}
}

func matrixOf(code uint16, limited bool) matrix {
	m := jfif
	switch code {
	case 1:
		m.kr, m.kb = 0.2126, 0.0722
	case 9, 10:
		m.kr, m.kb = 0.2627, 0.0593
	}
	m.limited = limited
	return m
}

// toJFIF converts samples in place to those of a JPEG file. The luma of other matrices
// depends on chroma, so chroma is read at each pixel before it is changed.
func (m matrix) toJFIF(p *raster.Raster) {
	if m == jfif {
		return
	}
	yScale, cScale, yBase := 1.0, 1.0, 0.0
	if m.limited {
		yScale, cScale, yBase = 255.0/219, 255.0/224, 16
	}
	luma := &p.Planes[0]
	if len(p.Planes) == 1 {
		for i, y := range luma.Pix {
			luma.Pix[i] = clamp((float64(y) - yBase) * yScale)
		}
		return
	}
	cb, cr := &p.Planes[1], &p.Planes[2]

	// Substituting the source's R, G and B, in terms of Y, Cb and Cr, into JFIF's equations
	// preserves grey: Y' = Y + a·Cb + b·Cr, and the new chroma depends on chroma alone.
	kg := 1 - m.kr - m.kb
	rr, bb := 2*(1-m.kr), 2*(1-m.kb)
	gr, gb := -m.kr*rr/kg, -m.kb*bb/kg
	a := 0.587*gb + jfif.kb*bb
	b := jfif.kr*rr + 0.587*gr
	toCb, toCr := 1/(2*(1-jfif.kb)), 1/(2*(1-jfif.kr))

	var lumaTable [256]float64
	for i := range lumaTable {
		lumaTable[i] = (float64(i) - yBase) * yScale
	}
	for y := range luma.Height {
		row := luma.Pix[y*luma.Stride:][:luma.Width]
		cbRow, crRow := cb.Pix[y/p.StepY*cb.Stride:], cr.Pix[y/p.StepY*cr.Stride:]
		for x := range row {
			u, v := (float64(cbRow[x/p.StepX])-128)*cScale, (float64(crRow[x/p.StepX])-128)*cScale
			row[x] = clamp(lumaTable[row[x]] + a*u + b*v)
		}
	}
	for i := range cb.Pix {
		u, v := (float64(cb.Pix[i])-128)*cScale, (float64(cr.Pix[i])-128)*cScale
		luma := a*u + b*v
		cb.Pix[i] = clamp(128 + (bb*u-luma)*toCb)
		cr.Pix[i] = clamp(128 + (rr*v-luma)*toCr)
	}
}

func clamp(v float64) byte { return byte(math.Max(0, math.Min(255, v+0.5))) }
