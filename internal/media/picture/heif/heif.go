// Package heif decodes still pictures coded in HEVC in HEIF files, which phones write as
// .heic.
//
// Decode applies the container's rotation, mirroring and clean aperture. The orientation in
// EXIF repeats these and must be ignored.
//
// Coded data is decoded by libde265 in a WebAssembly sandbox, one tile at a time, so that a
// malicious file can do no harm.
package heif

import (
	"context"
	"image"

	"golang.org/x/sync/errgroup"

	"stoa/internal/media/picture/raster"
)

// File is a parsed file.
type File struct {
	// Width and Height are the size of the upright picture.
	Width, Height int
	// TileWidth and TileHeight are the size of the unit of decoding, which is the whole
	// picture if it has no tiles.
	TileWidth, TileHeight int
	// EXIF is a TIFF block, and ICC a colour profile. Both may be nil.
	EXIF, ICC []byte

	meta       *meta
	tiles      []*item
	columns    int
	canvas     image.Point
	transforms []transform
	matrix     *matrix // nil unless the container has one
}

// Sniff reports whether data starts like a HEIF file that may contain HEVC.
func Sniff(data []byte) bool {
	if len(data) < 16 || string(data[4:8]) != "ftyp" {
		return false
	}
	for _, content := range boxes(data) {
		for i := 0; i+4 <= len(content); i += 4 {
			switch brand := string(content[i : i+4]); {
			case i == 4: // a version
			case brand == "heic", brand == "heix", brand == "heim", brand == "heis":
				return true
			}
		}
		break
	}
	return false
}

// Parse parses the structure of a file without decoding it. The file refers to data.
func Parse(data []byte) (*File, error) {
	if !Sniff(data) {
		return nil, Error("not a HEIF file with HEVC in it")
	}
	m, err := parse(data)
	if err != nil {
		return nil, err
	}
	primary := m.items[m.primary]
	if primary == nil {
		return nil, Error("no primary picture")
	}
	f := &File{meta: m}
	switch primary.kind {
	case "hvc1":
		err = f.single(primary)
	case "grid":
		err = f.grid(primary)
	default:
		err = errorf("a %v is not supported", primary)
	}
	if err != nil {
		return nil, err
	}
	f.colours(primary)
	f.EXIF = m.exif()
	return f, f.orient(primary)
}

func (f *File) single(primary *item) (err error) {
	f.canvas.X, f.canvas.Y, err = f.meta.sizeOf(primary)
	f.TileWidth, f.TileHeight = f.canvas.X, f.canvas.Y
	f.tiles, f.columns = []*item{primary}, 1
	return err
}

func (f *File) grid(primary *item) error {
	content, err := f.meta.content(primary)
	if err != nil {
		return err
	}
	columns, rows, width, height, err := parseGrid(content)
	if err != nil {
		return err
	}
	f.columns, f.canvas = columns, image.Pt(width, height)
	for n, id := range f.meta.references["dimg"][f.meta.primary] {
		tile := f.meta.items[id]
		if tile == nil || tile.kind != "hvc1" {
			return errorf("tile %d is no HEVC picture", n)
		}
		w, h, err := f.meta.sizeOf(tile)
		if err != nil {
			return err
		}
		if n == 0 {
			f.TileWidth, f.TileHeight = w, h
		}
		if w != f.TileWidth || h != f.TileHeight {
			return Error("tiles of different sizes")
		}
		f.tiles = append(f.tiles, tile)
	}
	if len(f.tiles) != columns*rows {
		return errorf("%d tiles for a grid of %d by %d", len(f.tiles), columns, rows)
	}
	// Each row and column must be visible, so that the work is proportional to the picture.
	if !covers(columns, f.TileWidth, width) || !covers(rows, f.TileHeight, height) {
		return Error("tiles that do not fit their grid")
	}
	return nil
}

func covers(tiles, size, length int) bool {
	return tiles*size >= length && (tiles-1)*size < length
}

// Decode decodes the picture with the given number of workers, and stops between tiles when
// ctx is done.
func (f *File) Decode(ctx context.Context, workers int) (*raster.Raster, error) {
	if _, err := decoder(); err != nil {
		return nil, err
	}
	// The first tile determines the kind of all.
	first, err := f.decodeTile(ctx, f.tiles[0])
	if err != nil {
		return nil, err
	}
	canvas := raster.New(f.canvas.X, f.canvas.Y, first.StepX, first.StepY, len(first.Planes))
	canvas.Paste(first.Raster, image.Point{})
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, workers))
	for n, tile := range f.tiles[1:] {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			decoded, err := f.decodeTile(ctx, tile)
			if err != nil {
				return err
			}
			at := image.Pt((n+1)%f.columns*f.TileWidth, (n+1)/f.columns*f.TileHeight)
			if !canvas.Paste(decoded.Raster, at) {
				return Error("tiles of different kinds")
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	m := first.matrix
	if f.matrix != nil { // the container takes precedence over the coded data
		m = *f.matrix
	}
	m.toJFIF(canvas)
	for _, t := range f.transforms {
		canvas = t(canvas)
	}
	return canvas, nil
}

// decodeTile decodes one coded picture.
func (f *File) decodeTile(ctx context.Context, tile *item) (*coded, error) {
	content, err := f.meta.content(tile)
	if err != nil {
		return nil, err
	}
	units, err := still(f.meta.property(tile, "hvcC"), content)
	if err != nil {
		return nil, err
	}
	decoded, err := decodeHEVC(ctx, units)
	if err != nil {
		return nil, err
	}
	if decoded.Width < f.TileWidth || decoded.Height < f.TileHeight {
		return nil, Error("a tile is smaller than it should be")
	}
	decoded.Raster = decoded.Cut(image.Rect(0, 0, f.TileWidth, f.TileHeight)) // some encoders pad to whole blocks
	return decoded, nil
}
