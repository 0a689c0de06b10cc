package archive

import (
	"encoding/json"
	"time"
)

// What the API shows of nouns in another form than they have it.

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ErrorText, RecordsKeyText, RecordsErrorText and ImagesErrorText are nil where there is
// none.
func (p *Post) ErrorText() *string        { return optional(p.Error) }
func (p *Post) RecordsKeyText() *string   { return optional(p.RecordsKey) }
func (p *Post) RecordsErrorText() *string { return optional(p.Records.Error) }
func (p *Post) ImagesErrorText() *string  { return optional(p.Images.Error) }

// RecordsStatus and ImagesStatus are how far loads have come.
func (p *Post) RecordsStatus() LoadStatus { return p.Records.Status }
func (p *Post) ImagesStatus() LoadStatus  { return p.Images.Status }

// ImagesKeys are the uploads that images come from.
func (p *Post) ImagesKeys() []string { return append([]string{}, p.ImageKeys...) }

// MetadataMap is what is said of the post.
func (p *Post) MetadataMap() map[string]any {
	m := make(map[string]any, len(p.Metadata))
	for name, value := range p.Metadata {
		m[name] = json.RawMessage(value)
	}
	return m
}

// SubjectText is what the user is called by their issuer.
func (u *User) SubjectText() string { return string(u.Subject) }

// SavedAt is nil for settings that were never saved.
func (s *Settings) SavedAt() *time.Time {
	if s.LastUpdateTime.IsZero() {
		return nil
	}
	return &s.LastUpdateTime
}

// AbbreviationsMap are words by their abbreviations.
func (s *PlaceSettings) AbbreviationsMap() map[string]any {
	m := make(map[string]any, len(s.Abbreviations))
	for short, long := range s.Abbreviations {
		m[short] = long
	}
	return m
}
