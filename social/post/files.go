package post

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Files creates and stores the files of posts. An error that is a *social.Unfit is the
// file's fault and final.
type Files interface {
	// Inline stores all sizes of a base64 image as the image of p.
	Inline(ctx context.Context, p *social.Post, image *social.PostImage, data string) (social.MadeImage, error)
	// Image stores all sizes of an image that was kept as source as the image of p.
	Image(ctx context.Context, p *social.Post, image *social.PostImage, source string) (social.MadeImage, error)
	// Video stores a stream and a poster of a video that was kept as source as those of p.
	Video(ctx context.Context, p *social.Post, source string) error
	// At returns the URLs of the image in a directory.
	At(files string) *social.Image
	// Verified reports whether the stored image is authentic, as taken by its camera.
	Verified(ctx context.Context, p *social.Post, image *social.PostImage) (bool, error)
	// Keep moves the uploaded file of p from staged to where it is processed, and returns
	// that location.
	Keep(ctx context.Context, p *social.Post, staged string) (source string, err error)
	// Discard deletes a file stored by Keep.
	Discard(ctx context.Context, source string) error
	// Remove deletes all files of a post.
	Remove(ctx context.Context, owner social.UserID, id social.PostID) error
	// Alone calls work unless this process is already working on that post.
	Alone(ctx context.Context, id social.PostID, work func(ctx context.Context) error) error
}

// UploadStore stores the uploads of posts while they are processed.
type UploadStore interface {
	// BeginAgain stores how often processing an upload was restarted. It fails with
	// Conflict if processing has ended.
	BeginAgain(ctx context.Context, u social.PostUpload) error
	// Uploads returns the uploads that are being processed, or were when their process
	// ended.
	Uploads(ctx context.Context, q page.Query) (page.Page[social.PostUpload], error)
	// FirstWith returns the first post that has an image with the given checksum and was
	// posted before the given time, or "". The read is consistent: it sees every post that
	// was added.
	FirstWith(ctx context.Context, checksum string, before time.Time) (social.PostID, error)
}
