package archive

import (
	"slices"
	"strings"
)

// FieldMatch is the way in which a value is compared.
type FieldMatch string

const (
	Exact    FieldMatch = "EXACT"
	Prefix   FieldMatch = "PREFIX"
	Contains FieldMatch = "CONTAINS"
)

// FieldCondition is a condition on a value.
type FieldCondition struct {
	Header, Value string
	Match         FieldMatch
}

// RecordSearch is a search for records, with its scope.
type RecordSearch struct {
	CollectionID, PostID, CategoryID *ID
	Household, Text, Place           *string
	Fields                           []FieldCondition
}

// Check refuses a search without conditions or without a scope.
func (s *RecordSearch) Check() error {
	if s.PostID == nil && s.Household == nil && s.CollectionID == nil && s.CategoryID == nil {
		return ErrNeedsScope
	}
	if n := len(s.Fields); n > MaxAsked {
		return badInput("INVALID_COUNT", "At most %d fields are compared, not %d", MaxAsked, n)
	}
	for _, text := range []*string{s.Text, s.Place, s.Household} {
		if err := checkOptional("The search", text, maxText); err != nil {
			return err
		}
	}
	return nil
}

// Arguments returns the arguments to which page tokens of the search are bound.
func (s *RecordSearch) Arguments() []string {
	var all []string
	for _, id := range []*ID{s.CollectionID, s.PostID, s.CategoryID} {
		if id == nil {
			all = append(all, "")
			continue
		}
		all = append(all, id.String())
	}
	for _, text := range []*string{s.Household, s.Text, s.Place} {
		if text == nil {
			all = append(all, "", "-")
			continue
		}
		all = append(all, *text, "+")
	}
	for _, f := range s.Fields {
		all = append(all, f.Header, f.Value, string(f.Match))
	}
	return all
}

// Query is a search prepared for comparison with records.
type Query struct {
	words  []string
	fields []FieldCondition
	// place is the full name of the requested place, folded; empty for any.
	place string
	// household is set if only households with a number are searched.
	household bool
}

// Query prepares the search. place is the full name of the requested place, empty for any.
func (s *RecordSearch) Query(place string) Query {
	q := Query{place: Fold(place), household: s.Household != nil}
	if s.Text != nil {
		q.words = strings.Fields(Fold(*s.Text))
	}
	for _, f := range s.Fields {
		q.fields = append(q.fields, FieldCondition{f.Header, Fold(f.Value), f.Match})
	}
	return q
}

// Within reports whether users of a level may search a collection. What they find must not
// depend on values that are hidden from them: private details are not compared with anything,
// and neither are hidden numbers of households.
func (q Query) Within(c *Collection, l AuthLevel) bool {
	switch {
	case l.AtLeast(Reader):
		return true
	case c.PrivateSearch():
		return false
	case c.PrivateDetail():
		return len(q.words) == 0 && len(q.fields) == 0 && q.place == "" && !q.household
	case q.household && c.HouseholdNumberHeader != nil:
		return !slices.Contains(c.Hidden(l), *c.HouseholdNumberHeader)
	}
	return true
}

// Match reports whether data match, and returns the sorted headers of the matching values.
// hidden are headers that the viewer may not see.
func (q Query) Match(data map[string]string, hidden []string) (matched []string, ok bool) {
	folded := make(map[string]string, len(data))
	headers := make([]string, 0, len(data))
	for header, value := range data {
		if !slices.Contains(hidden, header) {
			folded[header] = Fold(value)
			headers = append(headers, header)
		}
	}
	slices.Sort(headers)
	hits := map[string]bool{}
	for _, w := range q.words {
		found := false
		for _, h := range headers {
			if strings.Contains(folded[h], w) {
				hits[h], found = true, true
			}
		}
		if !found {
			return nil, false
		}
	}
	for _, f := range q.fields {
		value, has := folded[f.Header]
		if !has || !f.holds(value) {
			return nil, false
		}
		hits[f.Header] = true
	}
	if q.place != "" {
		found := false
		for _, h := range headers {
			if strings.HasSuffix(h, stdSuffix) && (folded[h] == q.place || strings.HasSuffix(folded[h], ", "+q.place)) {
				hits[h], found = true, true
			}
		}
		if !found {
			return nil, false
		}
	}
	for _, h := range headers {
		if hits[h] {
			matched = append(matched, h)
		}
	}
	return matched, true
}

func (f FieldCondition) holds(value string) bool {
	switch f.Match {
	case Exact:
		return value == f.Value
	case Prefix:
		return strings.HasPrefix(value, f.Value)
	default:
		return strings.Contains(value, f.Value)
	}
}

// Covers reports whether a post is within the scope of the search.
func (s *RecordSearch) Covers(p *Post, c *Collection) bool {
	return (s.PostID == nil || *s.PostID == p.ID) && (s.CollectionID == nil || *s.CollectionID == c.ID) &&
		(s.CategoryID == nil || slices.Contains(c.CategoryIDs, *s.CategoryID))
}
