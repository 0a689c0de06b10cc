package archive

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/input"
	"stoa/internal/kit/optional"
)

// MetadataType is the type of a metadata value.
type MetadataType string

const (
	StringType  MetadataType = "STRING"
	NumberType  MetadataType = "NUMBER"
	DateType    MetadataType = "DATE"
	BooleanType MetadataType = "BOOLEAN"
)

// PostMetadataField is a metadata field of posts.
type PostMetadataField struct {
	Name    string
	Type    MetadataType
	Tooltip *string
}

// Settings are the metadata fields of posts. Their times are zero if they were never saved.
type Settings struct {
	PostMetadata []PostMetadataField
	Stamps
}

// Metadata is the metadata of a post, each value as JSON.
type Metadata map[string]string

// ParseMetadata parses an object of texts, numbers and booleans.
func ParseMetadata(object map[string]any) (Metadata, error) {
	m := make(Metadata, len(object))
	for name, value := range object {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, badInput("INVALID_METADATA", "metadata %.64q cannot be stored", name)
		}
		m[name] = string(data)
	}
	return m, nil
}

// CheckMetadata refuses metadata without a field, or of another type.
func (s *Settings) CheckMetadata(m Metadata) error {
	size := 0
	for name, value := range m {
		size += sizeOf(name, value)
		i := slices.IndexFunc(s.PostMetadata, func(f PostMetadataField) bool { return f.Name == name })
		if i < 0 {
			return badInput("UNKNOWN_METADATA", "metadata has %.64q, which is not in the settings", name)
		}
		if t := s.PostMetadata[i].Type; !t.fits(value) {
			return badInput("INVALID_METADATA", "metadata %q must be of type %s", name, t)
		}
		if len(value) > 4*maxText {
			return badInput("INVALID_METADATA", "metadata %q is too long", name)
		}
	}
	return checkFits("The metadata of a post", size)
}

// fits reports whether a JSON value is of the type.
func (t MetadataType) fits(value string) bool {
	var v any
	if json.Unmarshal([]byte(value), &v) != nil {
		return false
	}
	switch text, isText := v.(string); t {
	case StringType:
		return isText
	case DateType:
		_, err := time.Parse(time.DateOnly, text)
		return isText && err == nil
	case NumberType:
		_, ok := v.(float64)
		return ok
	default:
		_, ok := v.(bool)
		return ok
	}
}

// Edited returns the settings with other entries. given is nil if they were never saved.
func (s *Settings) Edited(entries []PostMetadataField, given *time.Time, now time.Time) (*Settings, error) {
	if n := len(entries); n > MaxMetadata {
		return nil, limit("TOO_MANY_ENTRIES", "There are at most %d entries, not %d", MaxMetadata, n)
	}
	seen, size := map[string]bool{}, 0
	for _, e := range entries {
		if err := input.First(checkName("settings entry", e.Name, maxMetaName), checkOptional("tooltip", e.Tooltip, maxText)); err != nil {
			return nil, err
		}
		folded := strings.ToLower(strings.TrimSpace(e.Name))
		if seen[folded] {
			return nil, badInput("REPEATED_NAME", "The entry %q is given twice", e.Name)
		}
		seen[folded] = true
		size += sizeOf(e.Name, optional.Or(e.Tooltip, ""))
	}
	if err := checkFits("The list of entries", size); err != nil {
		return nil, err
	}
	next := &Settings{PostMetadata: entries, Stamps: s.Stamps}
	return next, next.save(given, now)
}

// save checks the time at which a singleton was read, and sets the time of its change.
func (s *Stamps) save(given *time.Time, now time.Time) error {
	switch {
	case s.InsertTime.IsZero() && given == nil:
		*s = StampsAt(now)
		return nil
	case s.InsertTime.IsZero():
		return Outdated(time.Time{}, given)
	case given == nil:
		return Outdated(s.LastUpdateTime, nil)
	}
	if err := s.CheckTime(*given); err != nil {
		return err
	}
	s.Touch(now)
	return nil
}
