package social

import (
	"hash/fnv"
	"time"

	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// PhotosFiles returns the directory of all photos that a user has ever had. It contains the
// directories of PhotoFiles.
func PhotosFiles(id UserID) string { return string(id) + "/profile-photo" }

// CheckPhoto refuses a post whose image cannot become the user's photo; p is nil if there
// is no post with the id. Posts of a former profile count as missing.
func CheckPhoto(u *User, id PostID, p *Post) error {
	switch {
	case p == nil, p.PostedByUserID == u.UserID && p.Outlives(u):
		return refusal.NotFoundf("Post `%s` not found", id)
	case p.Type != ImagePost:
		return refusal.Invalidf("Post `%s` does not have type `IMAGE`", id)
	case p.Status != PostCompleted:
		return refusal.Invalidf("Post `%s` does not have status `COMPLETED`", id)
	case p.PostedByUserID != u.UserID:
		return refusal.Invalidf("Post `%s` does not belong to this user", id)
	case !On(p.IsVerified):
		return refusal.Invalidf("Post `%s` is not verified", id)
	default:
		return nil
	}
}

// NewPhoto returns the post whose image becomes the photo of u, or "" if the photo does not
// change.
func (d UserEdit) NewPhoto(u *User) PostID {
	if post := optional.Or(d.PhotoPostID, ""); post != u.PhotoPostID {
		return post
	}
	return ""
}

// PlaceholderPhoto returns one of the codes of placeholder photos for a profile, or "" if
// there are none.
func PlaceholderPhoto(codes []string, id UserID, signedUpAt time.Time) string {
	if len(codes) == 0 {
		return ""
	}
	h := fnv.New32a()
	h.Write([]byte(string(id) + signedUpAt.UTC().Format(time.RFC3339Nano)))
	return codes[int(h.Sum32()%uint32(len(codes)))]
}

// PhotoShown returns the directory of the user's photo, or else the code of a placeholder
// photo. Both are "" without a photo.
func (s *SeenUser) PhotoShown() (files, placeholder string) {
	switch {
	case s.rel.BlockedBy:
		return "", ""
	case s.user.PhotoPostID != "":
		return PhotoFiles(s.user.UserID, s.user.PhotoPostID), ""
	default:
		return "", s.user.PlaceholderPhotoCode
	}
}

// UserPhotoSet: the image of a post became a user's photo.
type UserPhotoSet struct {
	UserID UserID
	// At is when that happened; zero in events from before this was recorded.
	At time.Time
}

// Former reports whether the photo was that of a former profile of u.
func (e UserPhotoSet) Former(u *User) bool { return !e.At.IsZero() && u.Former(e.At) }

func (UserPhotoSet) EventName() string     { return "user.photo_set" }
func (e UserPhotoSet) OrderingKey() string { return string(e.UserID) }
