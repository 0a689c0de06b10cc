package post

import (
	"context"
	"time"

	"stoa/internal/kit/page"
	"stoa/social"
)

// Files makes and keeps the files of posts. An error that is a *social.Unfit is the file's
// fault and final.
type Files interface {
	// Inline makes all sizes of an image that came in base64, and stores them as those of p.
	Inline(ctx context.Context, p *social.Post, image *social.PostImage, data string) (social.MadeImage, error)
	// Image makes all sizes of an image that was kept as source, and stores them likewise.
	Image(ctx context.Context, p *social.Post, image *social.PostImage, source string) (social.MadeImage, error)
	// Video makes a stream and a poster of a video that was kept as source, and stores them
	// as those of p.
	Video(ctx context.Context, p *social.Post, source string) error
	// Verified reports whether the image, which is stored, is what its camera took.
	Verified(ctx context.Context, p *social.Post, image *social.PostImage) (bool, error)
	// Keep keeps what was sent for p and lies at staged, and returns where.
	Keep(ctx context.Context, p *social.Post, staged string) (source string, err error)
	// Discard removes what Keep has kept.
	Discard(ctx context.Context, source string) error
	// Remove removes all files of a post.
	Remove(ctx context.Context, owner social.UserID, id social.PostID) error
	// Alone does work unless this process is working on that post already.
	Alone(ctx context.Context, id social.PostID, work func(ctx context.Context) error) error
}

// UploadStore keeps posts while their files are processed.
type UploadStore interface {
	// BeginAgain stores how often processing an upload was begun anew. It fails with
	// Conflict when that has ended.
	BeginAgain(ctx context.Context, u social.PostUpload) error
	// Uploads returns those that are being processed, or were when their process ended.
	Uploads(ctx context.Context, q page.Query) (page.Page[social.PostUpload], error)
	// FirstWith returns the first post that has an image with that checksum and was posted
	// before a time, "" when there is none. It sees every post whose adding has been answered.
	FirstWith(ctx context.Context, checksum string, before time.Time) (social.PostID, error)
}
