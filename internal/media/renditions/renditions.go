// Package renditions stores the sizes of a picture in the files of one directory:
// DIR/native.jpg, DIR/4K.jpg and so on.
//
// The native file is named .jpg whatever its format; viewers detect PNG by its content.
package renditions

import (
	"bytes"
	"context"

	"golang.org/x/sync/errgroup"

	"stoa/internal/media/blob"
	"stoa/internal/media/picture"
	"stoa/internal/media/signedurl"
)

// Key returns the key of one size in dir.
func Key(dir, size string) string { return dir + "/" + size + ".jpg" }

// Put stores all sizes of a picture in dir.
func Put(ctx context.Context, store blob.Store, dir string, p *picture.Picture) error {
	group, ctx := errgroup.WithContext(ctx)
	for size, file := range p.All() {
		group.Go(func() error {
			_, err := store.Put(ctx, Key(dir, size), bytes.NewReader(file))
			return err
		})
	}
	return group.Wait()
}

// Copy copies the files in the directory from to the directory to. The native file of an
// album's art is the 4K file of its picture, so native is the size to use for it.
func Copy(ctx context.Context, store blob.Store, from, to, native string) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, size := range picture.Names() {
		source := size
		if size == picture.Native {
			source = native
		}
		group.Go(func() error { return store.Copy(ctx, Key(from, source), Key(to, size)) })
	}
	return group.Wait()
}

// URLs are the URLs of all sizes.
type URLs struct{ Native, P64, P480, P1080, K4 string }

// Signed returns signed URLs of the sizes in dir.
func Signed(links *signedurl.Signer, dir string) URLs {
	return Of(func(size string) string { return links.Read(Key(dir, size)) })
}

// Of returns the URLs returned by address for the names of sizes.
func Of(address func(size string) string) URLs {
	return URLs{Native: address(picture.Native), P64: address("64p"), P480: address("480p"), P1080: address("1080p"), K4: address("4K")}
}
