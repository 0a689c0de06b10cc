package store

import (
	"time"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/social"
)

// An uploaded file that is being processed. It exists exactly as long as its post is
// PROCESSING.
var uploads = keyspec.Define[social.PostUpload](ops.Table, keyspec.Row{
	Key: keyspec.K("upload", "{postId}"),
})

func uploadKey(id social.PostID) keyspec.Key { return uploads.Key(string(id)) }

// The posts with an image, by its checksum. The index on posts has the same content, but
// may lag.
var imageChecksums = keyspec.Define[imageChecksumItem](ops.Table, keyspec.Row{
	Key: keyspec.K("postChecksum/{checksum}", "{postedAt}/{postId}"),
})

type imageChecksumItem struct {
	Checksum string        `dynamo:"checksum,keyonly"`
	PostedAt time.Time     `dynamo:"postedAt,keyonly"`
	PostID   social.PostID `dynamo:"postId"`
}

func checksumItemOf(p *social.Post) imageChecksumItem {
	return imageChecksumItem{Checksum: p.Checksum, PostedAt: p.PostedAt, PostID: p.PostID}
}

// keepChecksum lets later posts with the same image find this one.
func keepChecksum(tx *keyspec.Tx, p *social.Post) {
	if p.Checksum != "" {
		imageChecksums.Put(tx, checksumItemOf(p))
	}
}

func dropChecksum(tx *keyspec.Tx, p *social.Post) {
	if p.Checksum != "" {
		item := checksumItemOf(p)
		imageChecksums.Delete(tx, imageChecksums.KeyOf(&item))
	}
}
