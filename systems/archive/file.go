package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"time"
)

// Upload is a kind of uploaded file.
type Upload string

const (
	NoUpload      Upload = ""
	RecordsUpload Upload = "text/csv"
	ImagesUpload  Upload = "application/zip"
)

// endings are the file name extensions of uploads.
var endings = map[Upload]string{RecordsUpload: ".csv", ImagesUpload: ".zip"}

// MaxUpload is the maximum size of an upload, in bytes.
const MaxUpload = 8 << 30

var uploadKey = regexp.MustCompile(`^uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.csv|\.zip)$`)

// UploadFor returns the kind of upload of a media type, or NoUpload for others.
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

// NewUpload returns the key of a new upload.
func NewUpload(u Upload, id string) string { return "uploads/" + id + endings[u] }

// UploadOf returns the kind of upload with a key, or NoUpload if it is not the key of an
// upload.
func UploadOf(key string) Upload {
	if !uploadKey.MatchString(key) {
		return NoUpload
	}
	if strings.HasSuffix(key, ".csv") {
		return RecordsUpload
	}
	return ImagesUpload
}

// Images returns the key prefix of the images of a post.
func (id ID) Images() string { return "images/" + id.String() }

// ImageFile returns the key of an image of a post, given its path in the archive file. Keys
// contain a hash, as paths may contain characters that keys may not.
func ImageFile(post ID, path string) string {
	sum := sha256.Sum256([]byte(path))
	return post.Images() + "/" + hex.EncodeToString(sum[:]) + ".jpg"
}

// ThumbnailFile and SizeFile return the keys of the thumbnail of an image and of its
// dimensions.
func ThumbnailFile(image string) string { return strings.TrimSuffix(image, ".jpg") + ".thumbnail.jpg" }
func SizeFile(image string) string      { return strings.TrimSuffix(image, ".jpg") + ".size.json" }

// Ticket is a temporary permission to transfer a file.
type Ticket struct {
	URL, Key  string
	ExpiresAt time.Time
}

// Scan is an image as stored: JPEG files of the image and of its thumbnail.
type Scan struct {
	Image, Thumbnail []byte
	Width, Height    int
}

// The size of thumbnails and their quality.
const (
	ThumbnailWidth   = 160
	ThumbnailQuality = 75
)
