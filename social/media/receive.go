package media

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"stoa/internal/media/picture"
	"stoa/internal/media/serve"
	"stoa/internal/media/video"
	"stoa/social"
)

// Posts receives the files that clients upload.
type Posts interface {
	// Uploaded receives a file that was uploaded to place. It is stored at staged until
	// Uploaded returns. It fails with social.ErrPostFailed if the file is ignored because its
	// post is in ERROR.
	Uploaded(ctx context.Context, place, staged string) error
	// Refused records that a file uploaded to place was too large to be processed.
	Refused(ctx context.Context, place, reason string) error
}

// Receiver passes uploads to posts.
type Receiver struct{ Posts Posts }

var _ serve.Receiver = Receiver{}

// Limit returns the maximum size of an upload, in bytes.
func (r Receiver) Limit(key string) int64 {
	if path.Ext(key) == ".mov" {
		return video.MaxBytes
	}
	return int64(picture.DefaultLimits().Bytes)
}

// Owner returns the user whose files key is one of.
func (r Receiver) Owner(key string) string {
	owner, _, _ := strings.Cut(key, "/")
	return owner
}

// Uploaded receives an upload.
func (r Receiver) Uploaded(ctx context.Context, u serve.Upload) error {
	if !u.TooLarge {
		err := r.Posts.Uploaded(ctx, u.Key, u.Staged)
		if errors.Is(err, social.ErrPostFailed) {
			return serve.Ignored(err.Error())
		}
		return err
	}
	reason := string(picture.TooLarge)
	if path.Ext(u.Key) == ".mov" {
		reason = string(video.TooLarge)
	}
	return r.Posts.Refused(ctx, u.Key, fmt.Sprintf("%s: more than %d bytes", reason, r.Limit(u.Key)))
}
