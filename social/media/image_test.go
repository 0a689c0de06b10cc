package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/picture/picturetest"
	"stoa/social"
)

// countingStore counts the bytes that are read from it.
type countingStore struct {
	*blob.Memory
	read int
}

func (c *countingStore) Open(ctx context.Context, key string, part blob.Range) (io.ReadCloser, blob.Info, error) {
	r, info, err := c.Memory.Open(ctx, key, part)
	return struct {
		io.Reader
		io.Closer
	}{io.TeeReader(r, c), r}, info, err
}

func (c *countingStore) Write(p []byte) (int, error) {
	c.read += len(p)
	return len(p), nil
}

// A large file that is no image is refused by its beginning; the rest is not read.
func TestLargeFilesAreRefusedByTheirBeginning(t *testing.T) {
	const size = 20 << 20
	photo := picturetest.JPEG(picturetest.Photo(600, 400), nil)
	if len(photo) <= checkedBytes {
		photo = append(photo, make([]byte, checkedBytes)...)
	}
	for name, c := range map[string]struct {
		data   []byte
		format *social.PostImage
		read   int
		reason string
	}{
		"no image":        {bytes.Repeat([]byte("text"), size/4), nil, checkedBytes, "Image type unrecognized"},
		"too many pixels": {append(hugeJPEG(), make([]byte, size)...), nil, checkedBytes, "Image too large"},
		"another format": {append(picturetest.PNG(picturetest.Photo(20, 20), nil), make([]byte, size)...), &social.PostImage{Format: social.ImageHEIC}, checkedBytes,
			"Image type not allowed"},
		"an image": {photo, nil, checkedBytes + len(photo), ""},
		"a text":   {[]byte("text"), nil, 4, "Image type unrecognized"},
	} {
		t.Run(name, func(t *testing.T) {
			store := &countingStore{Memory: blob.NewMemory()}
			if _, err := store.Put(t.Context(), "upload", bytes.NewReader(c.data)); err != nil {
				t.Fatal(err)
			}
			s := &Service{Store: store, Pictures: picture.NewProcessor(picture.DefaultLimits())}
			_, err := s.Image(t.Context(), &social.Post{PostedByUserID: "ana", PostID: "p"}, c.format, "upload")
			reason := ""
			if unfit := (*social.Unfit)(nil); errors.As(err, &unfit) {
				reason = unfit.Reason
			} else if err != nil {
				t.Fatal(err)
			}
			if store.read != c.read || !strings.HasPrefix(reason, c.reason) || (reason == "") != (c.reason == "") {
				t.Errorf("%d bytes were read, %q; want %d, %q", store.read, reason, c.read, c.reason)
			}
		})
	}
}

// hugeJPEG is the header of a JPEG file of 65,000 x 65,000 pixels.
func hugeJPEG() []byte {
	return []byte{0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xfd, 0xe8, 0xfd, 0xe8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0}
}
