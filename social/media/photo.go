package media

import (
	"context"
	"errors"

	"stoa/internal/kit/refusal"
	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/renditions"
	"stoa/social"
)

// Photo returns a user's photo as the viewer sees it, or nil.
func (s *Service) Photo(u *social.SeenUser) *social.Image {
	files, placeholder := u.PhotoShown()
	switch {
	case files != "":
		return s.At(files)
	case placeholder != "":
		return imageOf(renditions.Of(func(size string) string {
			return s.PublicURL + placeholderPath + "/" + renditions.Key(placeholder, size)
		}))
	default:
		return nil
	}
}

// KeepPhoto copies the image of a post as a photo of its owner. It fails with Conflict if
// the image is gone.
func (s *Service) KeepPhoto(ctx context.Context, owner social.UserID, post social.PostID) error {
	err := renditions.Copy(ctx, s.Store, social.PostImageFiles(owner, post), social.PhotoFiles(owner, post), picture.Native)
	if errors.Is(err, blob.ErrNotFound) {
		return refusal.Conflictf("the picture of post %s is gone", post)
	}
	return err
}

// RemovePhotos deletes all photos of a user.
func (s *Service) RemovePhotos(ctx context.Context, id social.UserID) error {
	return s.Store.DeleteTree(ctx, social.PhotosFiles(id))
}
