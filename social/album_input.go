package social

import "stoa/internal/kit/refusal"

// AlbumEdit are changes to an album. Nil means "as before"; an empty description removes
// it.
type AlbumEdit struct{ Name, Description *string }

// Given refuses an edit without anything in it.
func (e AlbumEdit) Given() error {
	if e.Name == nil && e.Description == nil {
		return refusal.Invalidf("Called without any arguments... probably not what you intended?")
	}
	return nil
}

// Check refuses an edit that no album can take.
func (e AlbumEdit) Check() error {
	if e.Name != nil && *e.Name == "" {
		return refusal.Invalidf("All albums must have names")
	}
	return CheckAlbumTexts(deref(e.Name, ""), deref(e.Description, ""))
}

// CheckAlbumTexts refuses a name and a description too long to be stored together.
func CheckAlbumTexts(name, description string) error { return CheckText(name + description) }

// Of returns a with the edit made to it.
func (e AlbumEdit) Of(a *Album) *Album {
	edited := *a
	edited.Name, edited.Description = deref(e.Name, a.Name), deref(e.Description, a.Description)
	return &edited
}
