package engine

import (
	"bytes"
	"errors"
	"strings"

	"stoa/internal/kit/engine/catalog"
	"stoa/internal/kit/engine/value"
)

const badStart = "The provided starting key is invalid"

// from judges an ExclusiveStartKey and makes the search begin behind it. The
// texts differ between queries and scans, tables and indexes, as DynamoDB's do.
func (s *search) from(key Item) error {
	if key == nil {
		return nil
	}
	key, err := value.NormalizeItem(key)
	if err != nil {
		return startKeyError(err)
	}
	isQuery := s.partition != nil
	switch {
	case len(key) == len(s.relation.keyNames()):
	case isQuery || s.index != nil:
		return invalid(badStart)
	default:
		return invalid(badStart + ": The provided key element does not match the schema")
	}
	if isQuery || s.index != nil {
		if err := s.relation.checkStartParts(key); err != nil {
			return err
		}
	}
	if err := s.table.checkStartOwner(key); err != nil {
		return err
	}
	place, ok := appendKey(nil, s.relation, given(key))
	if !ok {
		return invalid(badStart)
	}
	if err := s.checkStart(place); err != nil {
		return err
	}
	s.span.startAfter(place)
	return nil
}

// startKeyError words what is wrong with a value: some complaints go with an
// introduction and some without.
func startKeyError(err error) error {
	for _, bare := range []string{"contains duplicates", "number set", "numeric value", "significant digits", "number with magnitude"} {
		if strings.Contains(err.Error(), bare) {
			return err
		}
	}
	return invalid(badStart+": %s", err)
}

// checkStartParts judges the key of what is read.
func (r *relation) checkStartParts(key Item) error {
	for i, a := range []catalog.Attribute{r.key.Hash, r.key.Sort} {
		if a.Name == "" {
			continue
		}
		v, ok := key[a.Name]
		switch {
		case !ok:
			return invalid(badStart)
		case value.TypeOf(v) != string(a.Type):
			return errKeySchema()
		}
		if err := checkLength(a, i == 0, v); err != nil {
			return err
		}
	}
	return nil
}

// checkStartOwner judges the key of the table, which is part of the key in an
// index.
func (t *table) checkStartOwner(key Item) error {
	own := Item{}
	for _, name := range t.key.Names() {
		if v, ok := key[name]; ok {
			own[name] = v
		}
	}
	_, err := t.lookupKey(own)
	var bad *value.ValidationError
	if errors.As(err, &bad) {
		return invalid("%s: %s", badStart, bad.Message)
	}
	return err
}

// checkStart judges whether a page of s can begin behind place.
func (s *search) checkStart(place []byte) error {
	inside := s.span.holds(place)
	switch {
	case inside:
		return nil
	case s.partition == nil:
		return invalid("%s: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. %s", badStart, s.segment)
	case !s.bounded:
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	case !bytes.HasPrefix(place, s.partition):
		return invalid("The query can return at most one row and cannot be restarted")
	}
	return invalid("The provided starting key does not match the range key predicate")
}
