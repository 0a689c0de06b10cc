package picture

import (
	"context"
	"image"

	"stoa/internal/media/picture/raster"
)

// Render returns all sizes of a picture drawn by draw.
func (p *Processor) Render(ctx context.Context, draw func() image.Image) (*Picture, error) {
	_, end, err := p.begin(ctx, min(p.limits.Memory, 2*fixedCost))
	if err != nil {
		return nil, err
	}
	defer end()
	return render(raster.FromImage(draw()))
}

func render(r *raster.Raster) (*Picture, error) {
	file, err := encode(r, nil, nil)
	if err != nil {
		return nil, err
	}
	out := &Picture{Format: JPEG, Width: r.Width, Height: r.Height, Native: file, Colors: palette(r)}
	out.Thumbnails, err = thumbnails(r, 1, nil)
	return out, err
}

// Cell is a picture in a grid. It returns either a JPEG file or an image.
type Cell func(ctx context.Context) (jpeg []byte, drawn image.Image, err error)

// Grid returns a picture of width by height with as many rows as columns, and all its
// sizes. Each cell is filled with the middle of its picture. Cells are called sequentially.
func (p *Processor) Grid(ctx context.Context, width, height, columns int, cells []Cell) (*Picture, error) {
	bounded, end, err := p.begin(ctx, min(p.limits.Memory, 2*fixedCost))
	if err != nil {
		return nil, err
	}
	defer end()
	canvas := raster.New(width, height, 2, 2, 3)
	w, h := width/columns, height/columns
	for n, cell := range cells {
		r, err := p.cell(bounded, cell)
		if err != nil {
			return nil, tooSlow(ctx, err)
		}
		canvas.Paste(r.Filled(w, h).HalfChroma(), image.Pt(n%columns*w, n/columns*h))
	}
	return render(canvas)
}

func (p *Processor) cell(ctx context.Context, cell Cell) (*raster.Raster, error) {
	file, drawn, err := cell(ctx)
	if err != nil {
		return nil, err
	}
	if drawn != nil {
		return raster.FromImage(drawn), nil
	}
	format, h, err := p.inspect(Input{Data: file, Formats: []Format{JPEG}})
	if err != nil {
		return nil, err
	}
	if h.width*h.height > maxCell {
		return nil, unfit(TooLarge, "%d x %d pixels for a cell", h.width, h.height)
	}
	r, err := decode(ctx, format, file, h, 1)
	if err != nil {
		return nil, err
	}
	return r.Oriented(h.orientation), nil
}

// maxCell is the number of pixels of the largest size except the native one.
const maxCell = 3840 * 2160
