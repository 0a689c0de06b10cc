package socialtest

import (
	"context"

	"stoa/internal/media/art"
	"stoa/social"
)

// undrawn is art that is created at once, without drawing, which takes seconds. It cannot
// be read.
type undrawn struct{}

func (undrawn) Used(n int) int                                                       { return art.Used(n) }
func (undrawn) Quick([]*social.Post) bool                                            { return true }
func (undrawn) MakeArt(context.Context, *social.Album, string, []*social.Post) error { return nil }
func (undrawn) RemoveArt(context.Context, social.UserID, social.AlbumID, string) error {
	return nil
}
