package archive

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Record is a row of a source.
type Record struct {
	ID     ID `dynamo:"-"`
	PostID ID `dynamo:"-"`
	// Data contains texts by header, including standard forms under their derived headers.
	Data map[string]string `dynamo:"data"`
	// Household is the number of the only household that may list the record.
	Household string `dynamo:"household"`
	Stamps
}

// RecordRef identifies a stored record.
type RecordRef struct{ PostID, ID ID }

// Ref returns the reference of the record.
func (r *Record) Ref() RecordRef { return RecordRef{r.PostID, r.ID} }

// HouseholdRef returns the household that may list the record, or false if there is none.
func (r *Record) HouseholdRef() (HouseholdRef, bool) {
	return HouseholdRef{r.PostID, r.Household}, r.Household != ""
}

// ParseData parses the data of a record: texts by header.
func ParseData(object map[string]any) (map[string]string, error) {
	return parseTexts(object, "INVALID_DATA", "data")
}

// CheckData refuses data with headers that are not the collection's, and data that are too
// large.
func (c *Collection) CheckData(data map[string]string) error {
	var extra []string
	for header, value := range data {
		if !c.hasHeader(header) {
			extra = append(extra, header)
		}
		if err := checkCell(value); err != nil {
			return badInput("INVALID_DATA", "data %.250q: %s", header, err)
		}
	}
	if len(extra) > 0 {
		slices.Sort(extra)
		return badHeaders(nil, extra)
	}
	size := 0
	for header, value := range data {
		size += len(header) + len(value)
	}
	return checkSize(size)
}

// checkSize refuses data with too many bytes of headers and values.
func checkSize(size int) error {
	if size > maxRecord {
		return limit("RECORD_TOO_LARGE", "A record has at most %d bytes of data, not %d", maxRecord, size)
	}
	return nil
}

// PlaceNames standardizes names of places.
type PlaceNames interface {
	// StandardName returns the full name of the place that a text stands for, or "".
	StandardName(ctx context.Context, text string) (string, error)
}

// Standardize adds the standard forms of dates and places to data.
func (c *Collection) Standardize(ctx context.Context, places PlaceNames, data map[string]string) error {
	for _, m := range c.Mappings {
		key := m.DBField + stdSuffix
		if _, done := data[key]; done {
			continue
		}
		switch {
		case strings.HasSuffix(m.DBField, "Date"):
			data[key] = StandardDate(data[m.Header])
		case strings.HasSuffix(m.DBField, "Place"):
			name, err := places.StandardName(ctx, data[m.Header])
			if err != nil {
				return err
			}
			data[key] = name
		}
	}
	return nil
}

// NewRecord returns a new record.
func NewRecord(id ID, post ID, data map[string]string, now time.Time) *Record {
	return &Record{ID: id, PostID: post, Data: data, Stamps: StampsAt(now)}
}

// Edited returns the record with other data.
func (r Record) Edited(data map[string]string, given, now time.Time) (*Record, error) {
	if err := r.CheckTime(given); err != nil {
		return nil, err
	}
	r.Data = data
	r.Touch(now)
	return &r, nil
}

// Hash returns a hash of the data. It is stored for other programs.
func (r *Record) Hash() string {
	var room [64]string
	headers := room[:0]
	for header := range r.Data {
		headers = append(headers, header)
	}
	slices.Sort(headers)
	text := make([]byte, 0, 1024)
	for _, header := range headers {
		text = append(append(append(append(text, header...), 0), r.Data[header]...), 0)
	}
	sum := fnv.New64a()
	_, _ = sum.Write(text) // cannot fail
	return strconv.FormatUint(sum.Sum64(), 16)
}
