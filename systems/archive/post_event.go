package archive

// AwaitsPublisher reports whether publishing has been requested and not started.
func (p *Post) AwaitsPublisher() bool {
	return p.Status == ToPublish || p.Status == ToUnpublish || p.Status == PostError && p.Requested != ""
}

// BeingPublished reports whether publishing is in progress.
func (p *Post) BeingPublished() bool { return p.Status == Publishing || p.Status == Unpublishing }

// Awaits reports whether the loader by may start the load: it is requested, has failed, or
// was started by the same loader.
func (l Load) Awaits(by string) bool {
	return l.Status == ToLoad || l.Status == LoadError || l.Status == Loading && l.By == by
}

// MayImport refuses users who may not replace the records of a post.
func (u *User) MayImport(p *Post) error {
	if u.ID == p.AuthorID {
		return u.Admit(Contributor)
	}
	return u.Admit(Editor)
}
