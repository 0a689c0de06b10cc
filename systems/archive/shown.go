package archive

import (
	"encoding/json"
	"time"

	"stoa/internal/kit/optional"
)

// Forms of nouns that differ in the API.

// ErrorText, RecordsKeyText, RecordsErrorText and ImagesErrorText return nil for an empty
// text.
func (p *Post) ErrorText() *string        { return optional.IfSet(p.Error) }
func (p *Post) RecordsKeyText() *string   { return optional.IfSet(p.RecordsKey) }
func (p *Post) RecordsErrorText() *string { return optional.IfSet(p.Records.Error) }
func (p *Post) ImagesErrorText() *string  { return optional.IfSet(p.Images.Error) }

// RecordsStatus and ImagesStatus return the states of loads.
func (p *Post) RecordsStatus() LoadStatus { return p.Records.Status }
func (p *Post) ImagesStatus() LoadStatus  { return p.Images.Status }

// ImagesKeys returns the uploads with the images.
func (p *Post) ImagesKeys() []string { return append([]string{}, p.ImageKeys...) }

// MetadataMap returns the metadata of the post.
func (p *Post) MetadataMap() map[string]any {
	m := make(map[string]any, len(p.Metadata))
	for name, value := range p.Metadata {
		m[name] = json.RawMessage(value)
	}
	return m
}

// SubjectText returns the issuer's id of the user.
func (u *User) SubjectText() string { return string(u.Subject) }

// SavedAt returns nil for settings that were never saved.
func (s *Settings) SavedAt() *time.Time {
	return optional.IfSet(s.LastUpdateTime)
}

// AbbreviationsMap returns words by their abbreviations.
func (s *PlaceSettings) AbbreviationsMap() map[string]any {
	m := make(map[string]any, len(s.Abbreviations))
	for short, long := range s.Abbreviations {
		m[short] = long
	}
	return m
}
