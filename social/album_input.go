package social

import (
	"stoa/internal/kit/optional"
	"stoa/internal/kit/refusal"
)

// AlbumEdit describes changes to an album. Nil keeps a value; an empty description removes
// it.
type AlbumEdit struct{ Name, Description *string }

// Given refuses an edit that changes nothing.
func (e AlbumEdit) Given() error {
	if e.Name == nil && e.Description == nil {
		return refusal.Invalidf("Called without any arguments... probably not what you intended?")
	}
	return nil
}

// Check refuses an invalid edit.
func (e AlbumEdit) Check() error {
	if e.Name != nil && *e.Name == "" {
		return refusal.Invalidf("All albums must have names")
	}
	return CheckAlbumTexts(optional.Or(e.Name, ""), optional.Or(e.Description, ""))
}

// CheckAlbumTexts refuses a name and description that together are too long to store.
func CheckAlbumTexts(name, description string) error { return CheckText(name + description) }

// Of returns a copy of the album with the edit applied.
func (e AlbumEdit) Of(a *Album) *Album {
	edited := *a
	edited.Name, edited.Description = optional.Or(e.Name, a.Name), optional.Or(e.Description, a.Description)
	return &edited
}
