package archive

// AwaitsPublisher reports whether publishing is to begin.
func (p *Post) AwaitsPublisher() bool {
	return p.Status == ToPublish || p.Status == ToUnpublish || p.Status == PostError && p.Requested != ""
}

// BeingPublished reports whether publishing has begun and not ended.
func (p *Post) BeingPublished() bool { return p.Status == Publishing || p.Status == Unpublishing }

// AwaitsLoader reports whether a load of records is to begin, or to be begun again by
// whoever began it.
func (l Load) Awaits(by string) bool {
	return l.Status == ToLoad || l.Status == LoadError || l.Status == Loading && l.By == by
}

// MayImport refuses those who may not replace the records of a post.
func (u *User) MayImport(p *Post) error {
	if u.ID == p.AuthorID {
		return u.Admit(Contributor)
	}
	return u.Admit(Editor)
}
