package resolvers

import (
	"context"

	"stoa/social"
)

// Media is the area of the URLs that files are downloaded from and uploaded to; package
// media implements it.
type Media interface {
	// At returns the image whose sizes are in a directory.
	At(files string) *social.Image
	// Photo returns a user's photo as the viewer sees it.
	Photo(u *social.SeenUser) *social.Image
	// Upload returns the URL for uploading a file to a location, or nil if that is empty.
	Upload(place string) *string
	// PostImage returns the image of a post as the viewer sees it.
	PostImage(p *social.SeenPost) *social.Image
	// AlbumArt returns the art of an album.
	AlbumArt(a *social.SeenAlbum) *social.Image
	// ShownVideo returns the video of a post as the viewer sees it.
	ShownVideo(ctx context.Context, p *social.SeenPost) (*social.Video, error)
}
