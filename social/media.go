package social

import (
	"strings"
	"time"
)

// Video is a video as clients see it: a URL, and cookies that grant access to it.
type Video struct {
	URLMasterM3U8 string
	AccessCookies CloudFrontAccessCookies
}

// CloudFrontAccessCookies grant access to the files of a video, in the form of CloudFront's
// cookies, which players know.
type CloudFrontAccessCookies struct {
	Domain, Path                 string
	ExpiresAt                    time.Time
	Policy, Signature, KeyPairID string
}

// Unfit is the error for a file that can never be processed, which is the file's fault and
// not the server's.
type Unfit struct{ Reason string }

func (u *Unfit) Error() string { return u.Reason }

// PostFiles returns the directory of a post's files.
func PostFiles(owner UserID, id PostID) string { return string(owner) + "/post/" + string(id) }

// PostImageFiles returns the directory of a post's image in all sizes.
func PostImageFiles(owner UserID, id PostID) string { return PostFiles(owner, id) + "/image" }

// PhotoFiles returns the directory of a user's photo in all sizes, as copied from a post.
func PhotoFiles(user UserID, id PostID) string {
	return string(user) + "/profile-photo/" + string(id)
}

// Names of single files of a post below PostFiles.
const (
	jpegUpload   = "image/native.jpg"
	heicUpload   = "image/native.heic"
	videoUpload  = "video-original.mov"
	videoMaster  = "video-hls/video.m3u8"
	videoStreams = "video-hls/video"
)

// VideoFiles returns the path of a post's master playlist, and the prefix of all files of
// the stream.
func VideoFiles(owner UserID, id PostID) (playlist, prefix string) {
	files := PostFiles(owner, id)
	return files + "/" + videoMaster, files + "/" + videoStreams
}

// IsVideoFile reports whether a file is part of a video stream.
func IsVideoFile(key string) bool {
	parts := strings.SplitN(key, "/", 4)
	return len(parts) == 4 && parts[1] == "post" && strings.HasPrefix(parts[3], videoStreams)
}

// UploadPlace returns the path to which a post's file is uploaded: its image, or the video.
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

// UploadOf returns the post that a file uploaded to a path belongs to, and its owner.
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

// PostUpload is an uploaded file that is being processed.
type PostUpload struct {
	PostID PostID `dynamo:"postId,keyonly"`
	Owner  UserID `dynamo:"owner"`
	// Source is the path of the unprocessed file.
	Source string `dynamo:"source"`
	// Process has been processing it since At.
	Process string    `dynamo:"process"`
	At      time.Time `dynamo:"at"`
	// Attempts is the number of attempts during which the process died.
	Attempts int `dynamo:"attempts"`
}

// MaxUploadAttempts is the maximum number of attempts to process an upload, because a file
// may crash its process each time.
const MaxUploadAttempts = 3

// How long an upload is left to its process before another one takes it up: this one, when
// it was started anew under the same name and knows nothing of it, or another, which cannot
// tell whether the first is still at it. A video may take hours.
const (
	uploadBegun    = 30 * time.Second
	imageAbandoned = 10 * time.Minute
	videoAbandoned = 3 * time.Hour
)

// IsVideo reports whether the file is a video.
func (u PostUpload) IsVideo() bool { return strings.HasSuffix(u.Source, ".mov") }

// Left reports whether a process may resume an upload that it is not processing itself.
func (u PostUpload) Left(process string, now time.Time) bool {
	wait := imageAbandoned
	switch {
	case u.Process == process:
		wait = uploadBegun
	case u.IsVideo():
		wait = videoAbandoned
	}
	return now.Sub(u.At) >= wait
}
