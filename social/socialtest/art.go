package socialtest

import (
	"context"

	"stoa/internal/media/art"
	"stoa/social"
)

// undrawn is art that is made at once and cannot be read: drawing it takes seconds.
type undrawn struct{}

func (undrawn) Used(n int) int                                                       { return art.Used(n) }
func (undrawn) Quick([]*social.Post) bool                                            { return true }
func (undrawn) MakeArt(context.Context, *social.Album, string, []*social.Post) error { return nil }
func (undrawn) RemoveArt(context.Context, social.UserID, social.AlbumID, string) error {
	return nil
}
