// Package art draws the cover of an album from its content.
//
// The cover of a single picture is that picture: copy its files instead of drawing.
package art

import (
	"context"
	"errors"
	"image"

	"stoa/internal/media/lettering"
	"stoa/internal/media/picture"
)

// Cover sizes.
const (
	width, height = 3840, 2160
	// The size of texts drawn for a cell, which is the maximum that pictures provide.
	cellWidth, cellHeight = 1920, 1080
)

// Used returns the number of an album's first n items on its cover: the largest square
// grid, up to 16; of two or three items only the first.
func Used(n int) int {
	for _, used := range []int{16, 9, 4, 1} {
		if n >= used {
			return used
		}
	}
	return 0
}

// Item is a picture or a text on a cover.
type Item struct {
	// Picture returns a JPEG file of the picture in 1080p. It is nil for a text.
	Picture func(ctx context.Context) ([]byte, error)
	Text    string
}

// Cover draws a cover of Used items, in all sizes. It fails if an item cannot be read.
func Cover(ctx context.Context, p *picture.Processor, items []Item) (*picture.Picture, error) {
	columns := map[int]int{1: 1, 4: 2, 9: 3, 16: 4}[len(items)]
	switch {
	case columns == 0:
		return nil, errors.New("art: a cover shows 1, 4, 9 or 16 items")
	case columns == 1 && items[0].Picture == nil:
		m, err := lettering.Draw(items[0].Text, width, height)
		if err != nil {
			return nil, err
		}
		return p.Render(ctx, func() image.Image { return m })
	case columns == 1:
		data, err := items[0].Picture(ctx)
		if err != nil {
			return nil, err
		}
		return p.Process(ctx, picture.Input{Data: data, Formats: []picture.Format{picture.JPEG}})
	}
	cells := make([]picture.Cell, len(items))
	for i, item := range items {
		cells[i] = func(ctx context.Context) ([]byte, image.Image, error) {
			if item.Picture != nil {
				data, err := item.Picture(ctx)
				return data, nil, err
			}
			m, err := lettering.Draw(item.Text, cellWidth, cellHeight)
			return nil, m, err
		}
	}
	return p.Grid(ctx, width, height, columns, cells)
}
