package social

import (
	"strings"
	"time"
)

// Video is a video as clients read it: an address, and cookies that open it.
type Video struct {
	URLMasterM3U8 string
	AccessCookies CloudFrontAccessCookies
}

// CloudFrontAccessCookies open the files of a video. They have the form of CloudFront's,
// because players know that.
type CloudFrontAccessCookies struct {
	Domain, Path                 string
	ExpiresAt                    time.Time
	Policy, Signature, KeyPairID string
}

// Unfit is the error for a file that will never be processed: it, and not the server, is
// at fault.
type Unfit struct{ Reason string }

func (u *Unfit) Error() string { return u.Reason }

// PostFiles is the directory of all files of a post.
func PostFiles(owner UserID, id PostID) string { return string(owner) + "/post/" + string(id) }

// PostImageFiles is the directory of the sizes of a post's image.
func PostImageFiles(owner UserID, id PostID) string { return PostFiles(owner, id) + "/image" }

// PhotoFiles is the directory of the sizes of a user's photo, which were copied from a
// post.
func PhotoFiles(user UserID, id PostID) string {
	return string(user) + "/profile-photo/" + string(id)
}

// Places of single files of a post below PostFiles.
const (
	jpegUpload   = "image/native.jpg"
	heicUpload   = "image/native.heic"
	videoUpload  = "video-original.mov"
	videoMaster  = "video-hls/video.m3u8"
	videoStreams = "video-hls/video"
)

// VideoFiles are the places of a post's video: its master playlist, and what the names of
// all files of the stream begin with.
func VideoFiles(owner UserID, id PostID) (playlist, prefix string) {
	files := PostFiles(owner, id)
	return files + "/" + videoMaster, files + "/" + videoStreams
}

// IsVideoFile reports whether a file is a part of a video stream.
func IsVideoFile(key string) bool {
	parts := strings.SplitN(key, "/", 4)
	return len(parts) == 4 && parts[1] == "post" && strings.HasPrefix(parts[3], videoStreams)
}

// UploadPlace is where the file of a post is sent to: that of its image, or the video.
func (p *Post) UploadPlace(image *PostImage) string {
	files := PostFiles(p.PostedByUserID, p.PostID) + "/"
	switch {
	case p.Type == VideoPost:
		return files + videoUpload
	case image.Is(ImageHEIC):
		return files + heicUpload
	default:
		return files + jpegUpload
	}
}

// UploadOf returns whose file is sent to a place, and to which post it belongs.
func UploadOf(place string) (owner UserID, id PostID, ok bool) {
	parts := strings.SplitN(place, "/", 4)
	if len(parts) != 4 || parts[1] != "post" {
		return "", "", false
	}
	switch parts[3] {
	case jpegUpload, heicUpload, videoUpload:
		return UserID(parts[0]), PostID(parts[2]), true
	default:
		return "", "", false
	}
}

// PostUpload is a file that came for a post and is being processed.
type PostUpload struct {
	PostID PostID
	Owner  UserID
	// Source is where the file lies until it is processed.
	Source string
	// Process has been at it since At.
	Process string
	At      time.Time
	// Attempts counts those that ended with their process.
	Attempts int
}

// MaxUploadAttempts is how often processing an upload is begun. One that ends its process
// each time is not tried for ever.
const MaxUploadAttempts = 3

// How long an upload is left to its process before another one takes it up: this one, when
// it was started anew under the same name and knows nothing of it, or another, which cannot
// tell whether the first is still at it. A video may take hours.
const (
	uploadBegun    = 30 * time.Second
	imageAbandoned = 10 * time.Minute
	videoAbandoned = 3 * time.Hour
)

// Left reports whether a process may take up an upload at a time, unless it is at it itself.
func (u PostUpload) Left(process string, now time.Time) bool {
	wait := imageAbandoned
	switch {
	case u.Process == process:
		wait = uploadBegun
	case strings.HasSuffix(u.Source, ".mov"):
		wait = videoAbandoned
	}
	return now.Sub(u.At) >= wait
}
