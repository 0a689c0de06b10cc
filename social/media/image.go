package media

import (
	"bytes"
	"context"
	"crypto/md5" // identifies files; not for security
	"crypto/rand"
	"encoding/hex"
	"errors"
	"image"
	"io"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/renditions"
	"stoa/internal/media/video"
	"stoa/social"
)

// Inline stores all sizes of a base64 image as the image of p.
func (s *Service) Inline(ctx context.Context, p *social.Post, about *social.PostImage, data string) (social.MadeImage, error) {
	return s.make(ctx, p, about, picture.Inline(data))
}

// Image stores all sizes of an image that was kept as source as the image of p.
func (s *Service) Image(ctx context.Context, p *social.Post, about *social.PostImage, source string) (social.MadeImage, error) {
	if err := s.check(ctx, about, source); err != nil {
		return social.MadeImage{}, err
	}
	if info, err := s.Store.Head(ctx, source); err == nil { // otherwise reading it fails
		end, err := s.Pictures.Reading(ctx, info.Size)
		if err != nil {
			return social.MadeImage{}, err
		}
		defer end()
	}
	data, err := s.read(ctx, source)
	if err != nil {
		return social.MadeImage{}, err
	}
	return s.make(ctx, p, about, data)
}

// read returns a kept file. A missing file is a final error.
func (s *Service) read(ctx context.Context, source string) ([]byte, error) {
	data, err := blob.ReadAll(ctx, s.Store, source, int64(picture.DefaultLimits().Bytes))
	return data, unread(err)
}

// checkedBytes is the size of the beginning of an image that is checked before the rest is
// read, which for a large file that is no image would only make others wait.
const checkedBytes = 64 << 10

// check returns an error if the beginning of a kept file shows that it cannot be processed.
func (s *Service) check(ctx context.Context, about *social.PostImage, source string) error {
	r, info, err := s.Store.Open(ctx, source, blob.Range{Length: checkedBytes})
	if err != nil {
		return unread(err)
	}
	defer r.Close()
	if info.Size <= checkedBytes {
		return nil // processing it checks more
	}
	beginning := make([]byte, checkedBytes)
	if _, err := io.ReadFull(r, beginning); err != nil {
		return err
	}
	return final(s.Pictures.Check(picture.Input{Data: beginning, Formats: formats(about)}))
}

// unread returns the error for a kept file that cannot be read, which is final if it is
// missing or too large.
func unread(err error) error {
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return &social.Unfit{Reason: "File is missing"}
	case errors.Is(err, blob.ErrTooLarge):
		return &social.Unfit{Reason: string(picture.TooLarge)}
	default:
		return err
	}
}

func (s *Service) make(ctx context.Context, p *social.Post, about *social.PostImage, data []byte) (social.MadeImage, error) {
	made, err := s.Pictures.Process(ctx, picture.Input{Data: data, Formats: formats(about), Crop: crop(about)})
	if err != nil {
		return social.MadeImage{}, final(err)
	}
	dir := social.PostImageFiles(p.PostedByUserID, p.PostID)
	if err := renditions.Put(ctx, s.Store, dir, made); err != nil {
		return social.MadeImage{}, err
	}
	if made.Format == picture.HEIC && !made.Cropped {
		if _, err := s.Store.Put(ctx, dir+"/native.heic", bytes.NewReader(data)); err != nil {
			return social.MadeImage{}, err
		}
	}
	sum := md5.Sum(made.Native)
	m := social.MadeImage{Width: made.Width, Height: made.Height, Checksum: hex.EncodeToString(sum[:])}
	for _, c := range made.Colors {
		m.Colors = append(m.Colors, social.Color{R: int(c.R), G: int(c.G), B: int(c.B)})
	}
	return m, nil
}

// formats returns the image formats that the file may have.
func formats(about *social.PostImage) []picture.Format {
	if about.Is(social.ImageHEIC) {
		return []picture.Format{picture.HEIC}
	}
	return []picture.Format{picture.JPEG, picture.PNG, picture.WebP}
}

func crop(about *social.PostImage) image.Rectangle {
	if about == nil || about.Crop == nil {
		return image.Rectangle{}
	}
	return image.Rectangle{Min: image.Point(about.Crop.UpperLeft), Max: image.Point(about.Crop.LowerRight)}
}

// final converts errors that are the file's fault to *social.Unfit.
func final(err error) error {
	var unfitPicture *picture.Unfit
	var unfitVideo *video.Unfit
	if errors.As(err, &unfitPicture) || errors.As(err, &unfitVideo) {
		return &social.Unfit{Reason: err.Error()}
	}
	return err
}

// Verified reports whether the stored image of p is authentic, as taken by its camera.
func (s *Service) Verified(ctx context.Context, p *social.Post, about *social.PostImage) (bool, error) {
	if s.Verifier == nil {
		return about.Verdict(), nil
	}
	native := renditions.Key(social.PostImageFiles(p.PostedByUserID, p.PostID), picture.Native)
	return s.Verifier.Verify(ctx, s.Links.Read(native), about)
}

// Video stores a stream and a poster of a video that was kept as source as those of p.
func (s *Service) Video(ctx context.Context, p *social.Post, source string) error {
	playlist, _ := social.VideoFiles(p.PostedByUserID, p.PostID)
	frame, err := s.Films.Stream(ctx, s.Store, string(p.PostedByUserID), source, playlist)
	if err != nil {
		return final(err)
	}
	poster, err := s.Pictures.Process(ctx, picture.Input{Data: frame, Formats: []picture.Format{picture.JPEG}})
	if err != nil {
		return final(err)
	}
	return renditions.Put(ctx, s.Store, social.PostImageFiles(p.PostedByUserID, p.PostID), poster)
}

// Keep moves the uploaded file of p from staged to where it is processed, and returns that
// location.
func (s *Service) Keep(ctx context.Context, p *social.Post, staged string) (source string, err error) {
	source = social.PostFiles(p.PostedByUserID, p.PostID) + "/upload-" + rand.Text()
	if p.Type == social.VideoPost {
		source += ".mov"
	}
	return source, s.Store.Copy(ctx, staged, source)
}

// Discard deletes a file stored by Keep.
func (s *Service) Discard(ctx context.Context, source string) error {
	return s.Store.Delete(ctx, source)
}

// Remove deletes all files of a post.
func (s *Service) Remove(ctx context.Context, owner social.UserID, id social.PostID) error {
	err := s.Store.DeleteTree(ctx, social.PostFiles(owner, id))
	if errors.Is(err, blob.ErrKey) { // no file can have such a key
		return nil
	}
	return err
}
