package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"time"
)

// Upload is a kind of file that is uploaded.
type Upload string

const (
	NoUpload      Upload = ""
	RecordsUpload Upload = "text/csv"
	ImagesUpload  Upload = "application/zip"
)

// endings are those of the keys of uploads.
var endings = map[Upload]string{RecordsUpload: ".csv", ImagesUpload: ".zip"}

// MaxUpload is the most bytes that an upload has.
const MaxUpload = 8 << 30

var uploadKey = regexp.MustCompile(`^uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.csv|\.zip)$`)

// UploadFor returns the kind of upload that a media type is, NoUpload for others.
func UploadFor(contentType string) Upload {
	kind, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "text/csv":
		return RecordsUpload
	case "application/zip", "application/x-zip-compressed":
		return ImagesUpload
	}
	return NoUpload
}

// NewUpload returns the key of an upload.
func NewUpload(u Upload, id string) string { return "uploads/" + id + endings[u] }

// UploadOf returns what a key is of, NoUpload for what is no key of an upload.
func UploadOf(key string) Upload {
	if !uploadKey.MatchString(key) {
		return NoUpload
	}
	if strings.HasSuffix(key, ".csv") {
		return RecordsUpload
	}
	return ImagesUpload
}

// Images is where the images of a post are kept.
func (id ID) Images() string { return "images/" + id.String() }

// ImageFile is where an image of a post is kept, by its path in the archive that it came
// in. Paths hold what no key can, so keys have their hashes.
func ImageFile(post ID, path string) string {
	sum := sha256.Sum256([]byte(path))
	return post.Images() + "/" + hex.EncodeToString(sum[:]) + ".jpg"
}

// ThumbnailFile and SizeFile are where the thumbnail of an image and its dimensions are.
func ThumbnailFile(image string) string { return strings.TrimSuffix(image, ".jpg") + ".thumbnail.jpg" }
func SizeFile(image string) string      { return strings.TrimSuffix(image, ".jpg") + ".size.json" }

// Ticket is leave to transfer a file for a while.
type Ticket struct {
	URL, Key  string
	ExpiresAt time.Time
}

// Scan is an image as it is kept: JPEG files of it and of a small one.
type Scan struct {
	Image, Thumbnail []byte
	Width, Height    int
}

// How large thumbnails are, and in which quality.
const (
	ThumbnailWidth   = 160
	ThumbnailQuality = 75
)
