package social

// Files is the directory of the post's files.
func (s *SeenPost) Files() string { return PostFiles(s.post.PostedByUserID, s.post.PostID) }

// ImageShown reports whether the viewer sees an image or the poster of a video, and what
// is known about it: nothing for a video.
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

// VideoFiles are the places of the post's video, see there.
func (s *SeenPost) VideoFiles() (playlist, prefix string) {
	return VideoFiles(s.post.PostedByUserID, s.post.PostID)
}

// UploadPlace is where owners may send the image or the video that a post of theirs waits
// for; empty for others and for other posts.
func (s *SeenPost) UploadPlace(of PostType) string {
	if s.post.Type != of || s.post.Status != PostPending || !s.owner.IsSelf() || !s.post.HasFiles() {
		return ""
	}
	if of == ImagePost {
		s.read.need(PostImageRow, "post")
	}
	return s.post.UploadPlace(s.image)
}

// OriginalPost is the post that had the image of a post first.
var OriginalPost = Details.New("ORIGINAL_POST")

// Original is the post that had the image first, which may be this one; empty as long as
// nobody knows.
func (p *Post) Original() PostID {
	if p.Status == PostPending || p.Status == PostError {
		return ""
	}
	return orElse(p.OriginalPostID, p.PostID)
}

// Original is that of the post.
func (s *SeenPost) Original() PostID { return s.post.Original() }

// WithOriginal returns the post with its original as the viewer sees it, nil for one that
// they may not see.
func (s *SeenPost) WithOriginal(original *SeenPost) *SeenPost {
	with := *s
	with.original, with.read = original, s.read|OriginalPost
	return &with
}

// KnownOriginal returns the original, nil when there is none that the viewer may see. It is
// not known when it was not read, or not with all details in d.
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
// shows. Owners know of themselves what was not read for others.
func (s *SeenPost) Knows(d Detail) bool {
	if s.owner.IsSelf() {
		return s.read.Has(d)
	}
	return (s.read | s.owner.read).Has(d)
}
