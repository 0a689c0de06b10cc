package archive

import (
	"slices"
	"time"
)

// SeenRecord is a record as somebody of a level sees it.
type SeenRecord struct {
	record     *Record
	Post       *Post
	Collection *Collection
	level      AuthLevel
	// household is known where Known is set; it is nil when there is none.
	household *Household
	known     bool
	// others are records of the household that were read along, as far as they were.
	others map[RecordRef]*Record
}

// SeenBy returns r as somebody of a level sees it.
func (r *Record) SeenBy(l AuthLevel, p *Post, c *Collection) *SeenRecord {
	return &SeenRecord{record: r, Post: p, Collection: c, level: l}
}

// In gives the record the household that it may be in.
func (s *SeenRecord) In(h *Household) *SeenRecord {
	s.known = true
	if h.Has(s.record.ID) {
		s.household = h
	}
	return s
}

// With gives the record those of its household that were read along.
func (s *SeenRecord) With(records map[RecordRef]*Record) { s.others = records }

// Beside returns the records of the household where all of them were read along.
func (s *SeenRecord) Beside() ([]*SeenRecord, bool) {
	if s.household == nil || len(s.others) == 0 {
		return nil, false
	}
	seen := []*SeenRecord{}
	for _, id := range s.household.RecordIDs {
		r := s.others[RecordRef{s.record.PostID, id}]
		if r == nil {
			return nil, false
		}
		seen = append(seen, r.SeenBy(s.level, s.Post, s.Collection))
	}
	return seen, true
}

// KnownHousehold returns the record's household where that is known.
func (s *SeenRecord) KnownHousehold() (h *Household, known bool) { return s.household, s.known }

// HouseholdRef is the household that may list the record; false when there is none.
func (s *SeenRecord) HouseholdRef() (HouseholdRef, bool) { return s.record.HouseholdRef() }

func (s *SeenRecord) ID() ID                    { return s.record.ID }
func (s *SeenRecord) PostID() ID                { return s.record.PostID }
func (s *SeenRecord) InsertTime() time.Time     { return s.record.InsertTime }
func (s *SeenRecord) LastUpdateTime() time.Time { return s.record.LastUpdateTime }

// Restricted reports whether details are hidden.
func (s *SeenRecord) Restricted() bool { return s.isGuest() && s.Collection.PrivateDetail() }

func (s *SeenRecord) isGuest() bool { return !s.level.AtLeast(Reader) }

// Hidden is the header whose value is hidden, empty for none.
func (c *Collection) Hidden(l AuthLevel) string {
	if l.AtLeast(Reader) || !c.PrivateImages() || c.ImagePathHeader == nil {
		return ""
	}
	return *c.ImagePathHeader
}

// FieldValue is a value of a record.
type FieldValue struct{ Header, Value string }

// HeaderLabel is what a header means.
type HeaderLabel struct{ Header, Label string }

// Data are the values in the order of the collection's fields. What the collection has no
// field for any more comes last.
func (s *SeenRecord) Data() []FieldValue {
	values := []FieldValue{}
	seen := map[string]bool{}
	show := func(header string) {
		if value, ok := s.value(header); ok && !seen[header] {
			values = append(values, FieldValue{header, value})
		}
		seen[header] = true
	}
	for _, f := range s.Collection.Fields {
		show(f.Header)
		for _, m := range s.Collection.Mappings {
			if m.Header == f.Header {
				show(m.DBField + stdSuffix)
			}
		}
	}
	var rest []string
	for header := range s.record.Data {
		rest = append(rest, header)
	}
	slices.Sort(rest)
	for _, header := range rest {
		show(header)
	}
	return values
}

// DataMap are the values by header.
func (s *SeenRecord) DataMap() map[string]any {
	values := map[string]any{}
	for header := range s.record.Data {
		if value, ok := s.value(header); ok {
			values[header] = value
		}
	}
	return values
}

// value returns a value that is there and not hidden.
func (s *SeenRecord) value(header string) (string, bool) {
	if s.Restricted() || header == s.Collection.Hidden(s.level) {
		return "", false
	}
	value, ok := s.record.Data[header]
	return value, ok
}

// Labels pair headers with what they mean.
func (s *SeenRecord) Labels() []HeaderLabel {
	labels := make([]HeaderLabel, len(s.Collection.Mappings))
	for i, m := range s.Collection.Mappings {
		labels[i] = HeaderLabel{m.Header, m.DBField}
	}
	return labels
}

// Citation is nil where the collection has no template, or details are hidden.
func (s *SeenRecord) Citation() *string {
	if s.Collection.CitationTemplate == nil || s.Restricted() {
		return nil
	}
	data := s.record.Data
	if hidden := s.Collection.Hidden(s.level); hidden != "" {
		data = map[string]string{}
		for header, value := range s.record.Data {
			if header != hidden {
				data[header] = value
			}
		}
	}
	text := Cite(*s.Collection.CitationTemplate, data)
	return &text
}

// ImagePath is nil where the record has no image, or it is hidden.
func (s *SeenRecord) ImagePath() *string {
	if s.Collection.ImagePathHeader == nil {
		return nil
	}
	path, ok := s.value(*s.Collection.ImagePathHeader)
	if !ok || path == "" {
		return nil
	}
	return &path
}

// RecordHit is a record that was found.
type RecordHit struct {
	Record     *SeenRecord
	Collection *Collection
	Matched    []string
}

// ImportResult is what came of an import.
type ImportResult struct {
	Created, Households int
	Post                *Post
}

// IDRange are consecutive ids.
type IDRange struct{ First, Last ID }
