package archive

import (
	"slices"
	"time"

	"stoa/internal/kit/slice"
)

// SeenRecord is a record as users of a level see it.
type SeenRecord struct {
	record     *Record
	post       *Post
	collection *Collection
	level      AuthLevel
	// household is valid if known is set; it is nil if there is none.
	household *Household
	known     bool
	// others contains records of the household that were read together with this one.
	others map[RecordRef]*Record
}

// SeenBy returns r as users of a level see it.
func (r *Record) SeenBy(l AuthLevel, p *Post, c *Collection) *SeenRecord {
	return &SeenRecord{record: r, post: p, collection: c, level: l}
}

// In sets the record's household to h if h lists the record, and returns the record.
func (s *SeenRecord) In(h *Household) *SeenRecord {
	s.known = true
	if h.Has(s.record.ID) {
		s.household = h
	}
	return s
}

// With sets the records of its household that were read together with it.
func (s *SeenRecord) With(records map[RecordRef]*Record) { s.others = records }

// Beside returns the records of the household if all of them were read together with this
// one.
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
		seen = append(seen, r.SeenBy(s.level, s.post, s.collection))
	}
	return seen, true
}

// Post returns the post of the record.
func (s *SeenRecord) Post() *Post { return s.post }

// KnownHousehold returns the record's household. known is false if it was not read.
func (s *SeenRecord) KnownHousehold() (h *Household, known bool) { return s.household, s.known }

// HouseholdRef returns the household that may list the record, or false if there is none.
func (s *SeenRecord) HouseholdRef() (HouseholdRef, bool) { return s.record.HouseholdRef() }

func (s *SeenRecord) ID() ID                    { return s.record.ID }
func (s *SeenRecord) PostID() ID                { return s.record.PostID }
func (s *SeenRecord) InsertTime() time.Time     { return s.record.InsertTime }
func (s *SeenRecord) LastUpdateTime() time.Time { return s.record.LastUpdateTime }

// Restricted reports whether details are hidden.
func (s *SeenRecord) Restricted() bool { return s.isGuest() && s.collection.PrivateDetail() }

func (s *SeenRecord) isGuest() bool { return !s.level.AtLeast(Reader) }

// Hidden returns the headers whose values are hidden from users of a level in addition to
// private details: that of images, and the standard forms of its values.
func (c *Collection) Hidden(l AuthLevel) (headers []string) {
	if l.AtLeast(Reader) || !c.PrivateImages() || c.ImagePathHeader == nil {
		return nil
	}
	headers = append(headers, *c.ImagePathHeader)
	for _, m := range c.Mappings {
		if m.Header == *c.ImagePathHeader {
			headers = append(headers, m.DBField+stdSuffix)
		}
	}
	return headers
}

// FieldValue is a value of a record.
type FieldValue struct{ Header, Value string }

// HeaderLabel is the meaning of a header.
type HeaderLabel struct{ Header, Label string }

// Data returns the values in the order of the collection's fields. Values without a field
// come last.
func (s *SeenRecord) Data() []FieldValue {
	values := []FieldValue{}
	seen := map[string]bool{}
	show := func(header string) {
		if value, ok := s.value(header); ok && !seen[header] {
			values = append(values, FieldValue{header, value})
		}
		seen[header] = true
	}
	for _, f := range s.collection.Fields {
		show(f.Header)
		for _, m := range s.collection.Mappings {
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

// DataMap returns the values by header.
func (s *SeenRecord) DataMap() map[string]any {
	values := map[string]any{}
	for header := range s.record.Data {
		if value, ok := s.value(header); ok {
			values[header] = value
		}
	}
	return values
}

// value returns a value that exists and is not hidden.
func (s *SeenRecord) value(header string) (string, bool) {
	if s.Restricted() || slices.Contains(s.collection.Hidden(s.level), header) {
		return "", false
	}
	value, ok := s.record.Data[header]
	return value, ok
}

// Labels returns the headers with their meanings.
func (s *SeenRecord) Labels() []HeaderLabel {
	labels := slice.Map(s.collection.Mappings, func(m CollectionMapping) HeaderLabel { return HeaderLabel{m.Header, m.DBField} })
	return labels
}

// Citation returns nil if the collection has no template, or details are hidden.
func (s *SeenRecord) Citation() *string {
	if s.collection.CitationTemplate == nil || s.Restricted() {
		return nil
	}
	data := s.record.Data
	if hidden := s.collection.Hidden(s.level); len(hidden) > 0 {
		data = map[string]string{}
		for header, value := range s.record.Data {
			if !slices.Contains(hidden, header) {
				data[header] = value
			}
		}
	}
	text := Cite(*s.collection.CitationTemplate, data)
	return &text
}

// ImagePath returns nil if the record has no image, or it is hidden.
func (s *SeenRecord) ImagePath() *string {
	if s.collection.ImagePathHeader == nil {
		return nil
	}
	path, ok := s.value(*s.collection.ImagePathHeader)
	if !ok || path == "" {
		return nil
	}
	return &path
}

// RecordHit is a record found by a search.
type RecordHit struct {
	Record     *SeenRecord
	Collection *Collection
	Matched    []string
}

// ImportResult is the result of an import.
type ImportResult struct {
	Created, Households int
	Post                *Post
}

// IDRange is a range of consecutive ids, both ends inclusive.
type IDRange struct{ First, Last ID }
