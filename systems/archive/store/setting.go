package store

import (
	"strings"

	"stoa/internal/kit/keyspec"
	"stoa/systems/archive"
)

// The metadata fields of posts: a single item.
var settings = keyspec.Define[settingsItem](Archive, keyspec.Row{
	Key: keyspec.K("settings", "settings"), On: keyspec.Indexes{BySort: keyspec.K("settings", "settings")},
})

type settingsItem struct {
	PostMetadata []entryItem `dynamo:"post_metadata"`
	archive.Stamps
}

type entryItem struct {
	Name    string  `dynamo:"name"`
	Type    string  `dynamo:"type"`
	Tooltip *string `dynamo:"tooltip"`
}

// The last allocated id.
var sequence = keyspec.Define[sequenceItem](Archive, keyspec.Row{Key: keyspec.K("sequence", "sequence")})

type sequenceItem struct {
	Value int64 `dynamo:"sequence_value"`
}

func settingsItemOf(s *archive.Settings) settingsItem {
	i := settingsItem{PostMetadata: []entryItem{}, Stamps: s.Stamps}
	for _, e := range s.PostMetadata {
		i.PostMetadata = append(i.PostMetadata, entryItem{e.Name, strings.ToLower(string(e.Type)), e.Tooltip})
	}
	return i
}

// settings returns the stored settings, or the initial ones if i is nil.
func (i *settingsItem) settings() *archive.Settings {
	s := &archive.Settings{PostMetadata: []archive.PostMetadataField{}}
	if i == nil {
		return s
	}
	s.Stamps = i.Stamps
	for _, e := range i.PostMetadata {
		s.PostMetadata = append(s.PostMetadata, archive.PostMetadataField{Name: e.Name, Type: archive.MetadataType(strings.ToUpper(e.Type)), Tooltip: e.Tooltip})
	}
	return s
}
