package resolvers

import (
	"context"

	"stoa/social"
)

// Media knows at which addresses files are read, and sent to: package media.
type Media interface {
	// At is an image whose sizes lie in a directory.
	At(files string) *social.Image
	// Photo is what the viewer sees of a user's photo.
	Photo(u *social.SeenUser) *social.Image
	// Upload is where a file is sent that is to lie at a place; nil for no place.
	Upload(place string) *string
	// PostImage is what the viewer sees of the image of a post.
	PostImage(p *social.SeenPost) *social.Image
	// AlbumArt is the art of an album.
	AlbumArt(a *social.SeenAlbum) *social.Image
	// ShownVideo is what the viewer sees of the video of a post.
	ShownVideo(ctx context.Context, p *social.SeenPost) (*social.Video, error)
}
