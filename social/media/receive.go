package media

import (
	"context"
	"fmt"
	"path"

	"stoa/internal/media/picture"
	"stoa/internal/media/serve"
	"stoa/internal/media/video"
)

// Posts takes the files that clients send.
type Posts interface {
	// Uploaded takes a file that was sent to a place, and lies at staged until Uploaded
	// returns.
	Uploaded(ctx context.Context, place, staged string) error
	// Refused takes note that a file for a place was larger than anything that is processed.
	Refused(ctx context.Context, place, reason string) error
}

// Receiver hands uploads to posts.
type Receiver struct{ Posts Posts }

var _ serve.Receiver = Receiver{}

// Limit is how many bytes an upload may have.
func (r Receiver) Limit(key string) int64 {
	if path.Ext(key) == ".mov" {
		return video.MaxBytes
	}
	return int64(picture.DefaultLimits().Bytes)
}

// Uploaded takes an upload.
func (r Receiver) Uploaded(ctx context.Context, u serve.Upload) error {
	if !u.TooLarge {
		return r.Posts.Uploaded(ctx, u.Key, u.Staged)
	}
	reason := string(picture.TooLarge)
	if path.Ext(u.Key) == ".mov" {
		reason = string(video.TooLarge)
	}
	return r.Posts.Refused(ctx, u.Key, fmt.Sprintf("%s: more than %d bytes", reason, r.Limit(u.Key)))
}
