package social

import "cmp"

// Files returns the directory of the post's files.
func (s *SeenPost) Files() string { return PostFiles(s.post.PostedByUserID, s.post.PostID) }

// ImageShown reports whether the viewer sees an image or the poster of a video, and returns
// the stored information about the image, nil for a video.
func (s *SeenPost) ImageShown() (image *PostImage, shown bool) {
	if !s.post.HasFiles() || !s.post.Shown() {
		return nil, false
	}
	if s.post.Type == VideoPost {
		return nil, true
	}
	s.read.need(PostImageRow, "post")
	return s.image, true
}

// VideoShown reports whether the viewer sees a video.
func (s *SeenPost) VideoShown() bool { return s.post.Type == VideoPost && s.post.Shown() }

// VideoFiles returns the locations of the post's video; see the function VideoFiles.
func (s *SeenPost) VideoFiles() (playlist, prefix string) {
	return VideoFiles(s.post.PostedByUserID, s.post.PostID)
}

// UploadPlace returns the location to which the owner may upload the image or video that
// the post is waiting for, or "" for other viewers and posts.
func (s *SeenPost) UploadPlace(of PostType) string {
	if s.post.Type != of || s.post.Status != PostPending || !s.owner.IsSelf() || !s.post.HasFiles() {
		return ""
	}
	if of == ImagePost {
		s.read.need(PostImageRow, "post")
	}
	return s.post.UploadPlace(s.image)
}

// OriginalPost is the first post with the same image.
var OriginalPost = Details.New("ORIGINAL_POST")

// Original returns the first post with the same image, which may be this one, or "" if it
// is not known yet.
func (p *Post) Original() PostID {
	if p.Status == PostPending || p.Status == PostError {
		return ""
	}
	return cmp.Or(p.OriginalPostID, p.PostID)
}

// Original returns the original of the post.
func (s *SeenPost) Original() PostID { return s.post.Original() }

// WithOriginal returns the post with its original as the viewer sees it, nil if they may
// not see it.
func (s *SeenPost) WithOriginal(original *SeenPost) *SeenPost {
	with := *s
	with.original, with.read = original, s.read|OriginalPost
	return &with
}

// KnownOriginal returns the original, or nil if there is none that the viewer may see.
// known is false if it was not read, or not with all details in d.
func (s *SeenPost) KnownOriginal(d Detail) (original *SeenPost, known bool) {
	switch id := s.Original(); {
	case id == "":
		return nil, true
	case id == s.post.PostID:
		original = s
	case !s.read.Has(OriginalPost):
		return nil, false
	default:
		original = s.original
	}
	return original, original == nil || original.Knows(d)
}

// Knows reports whether all details in d were read for the post and for the users that it
// shows. Owners need no details of themselves.
func (s *SeenPost) Knows(d Detail) bool {
	if s.owner.IsSelf() {
		return s.read.Has(d)
	}
	return (s.read | s.owner.read).Has(d)
}
