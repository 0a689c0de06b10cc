package store

import (
	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// imagesOf are the image rows of posts.
type imagesOf struct{ rows keyspec.Fetched[imageItem] }

// fetchImages fetches the image rows of posts if they are wanted.
func fetchImages(b *keyspec.Batch, wanted bool, ids []social.PostID) imagesOf {
	if !wanted {
		return imagesOf{}
	}
	return imagesOf{images.FetchEach(b, len(ids), func(i int) keyspec.Key { return images.Key(string(ids[i])) })}
}

// image returns the stored image of the post at i, or nil if there is none or it was not
// wanted.
func (f imagesOf) image(i int) *social.PostImage {
	if f.rows.Len() == 0 {
		return nil
	}
	item := f.rows.At(i)
	if item == nil {
		return nil
	}
	return item.image()
}

// putImage stores the image of a post unless it is nil.
func putImage(tx *keyspec.Tx, id social.PostID, image *social.PostImage) {
	if image != nil {
		images.Put(tx, imageItem{id, *image})
	}
}

func (i *imageItem) image() *social.PostImage {
	if len(i.Colors) == 0 {
		i.Colors = nil
	}
	return &i.PostImage
}
