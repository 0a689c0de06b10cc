package social

import (
	"hash/fnv"
	"time"

	"stoa/internal/kit/refusal"
)

// PhotosFiles is the directory of all photos that a user ever had. Those of PhotoFiles lie
// in it.
func PhotosFiles(id UserID) string { return string(id) + "/profile-photo" }

// CheckPhoto refuses a post, nil for none with the id, whose picture cannot become the
// photo of a user.
func CheckPhoto(user UserID, id PostID, p *Post) error {
	switch {
	case p == nil:
		return refusal.NotFoundf("Post `%s` not found", id)
	case p.Type != ImagePost:
		return refusal.Invalidf("Post `%s` does not have type `IMAGE`", id)
	case p.Status != PostCompleted:
		return refusal.Invalidf("Post `%s` does not have status `COMPLETED`", id)
	case p.PostedByUserID != user:
		return refusal.Invalidf("Post `%s` does not belong to this user", id)
	case !On(p.IsVerified):
		return refusal.Invalidf("Post `%s` is not verified", id)
	default:
		return nil
	}
}

// NewPhoto returns the post that the details make the photo of u, "" when they leave it.
func (d UserDetails) NewPhoto(u *User) PostID {
	if post := deref(d.PhotoPostID, ""); post != u.PhotoPostID {
		return post
	}
	return ""
}

// PlaceholderPhoto draws one of the codes of placeholder photos for a profile, "" when there
// are none.
func PlaceholderPhoto(codes []string, id UserID, signedUpAt time.Time) string {
	if len(codes) == 0 {
		return ""
	}
	h := fnv.New32a()
	h.Write([]byte(string(id) + signedUpAt.UTC().Format(time.RFC3339Nano)))
	return codes[int(h.Sum32()%uint32(len(codes)))]
}

// PhotoShown returns where the viewer finds the user's photo: in the directory of its
// sizes, or else under the code of a placeholder photo. Both are empty without a photo.
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

// UserPhotoSet: the picture of a post became the photo of a user.
type UserPhotoSet struct{ UserID UserID }

func (UserPhotoSet) EventName() string     { return "user.photo_set" }
func (e UserPhotoSet) OrderingKey() string { return string(e.UserID) }
