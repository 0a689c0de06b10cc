// Package art draws the cover of an album from what is in it.
//
// A cover of one picture is that picture, so copy its files and draw nothing.
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
	// The size in which texts are drawn for a cell, as large as what pictures give one.
	cellWidth, cellHeight = 1920, 1080
)

// Used is how many of the first n items of an album are on its cover: the most that fill
// a square grid, up to 16, and of two or three only the first.
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
	// Picture reads a JPEG file of the picture in 1080p. It is nil for a text.
	Picture func(ctx context.Context) ([]byte, error)
	Text    string
}

// Cover draws a cover of as many items as Used answers, in all sizes. An item that turns
// out not to be readable fails the cover.
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
