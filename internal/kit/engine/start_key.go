package engine

import (
	"bytes"
	"errors"
	"strings"

	"stoa/internal/kit/engine/value"
)

const badStart = "The provided starting key is invalid"

// An ExclusiveStartKey is validated in steps, between other checks of the request. The
// error texts differ between queries and scans, tables and indexes, as DynamoDB's do.

// startValueError returns the error for an invalid value: some messages have a prefix.
func startValueError(err error) error {
	for _, bare := range []string{"contains duplicates", "number set", "numeric value", "significant digits", "number with magnitude"} {
		if strings.Contains(err.Error(), bare) {
			return err
		}
	}
	return invalid(badStart+": %s", err)
}

// checkStartLength validates the number of attributes of the key.
func (s *search) checkStartLength() error {
	if s.start == nil || len(s.start) == len(s.relation.keyNames()) {
		return nil
	}
	return invalid(badStart)
}

// checkStartPart validates the i-th part of the key of what is read.
func (s *search) checkStartPart(i int) error {
	if s.start == nil || i == len(s.relation.parts) {
		return nil
	}
	p := s.relation.parts[i]
	v, ok := s.start[p.Name]
	switch {
	case !ok:
		return invalid(badStart)
	case value.TypeOf(v) != string(p.Type):
		return errKeySchema()
	}
	return p.checkLength(scalarLength(v))
}

// checkScanStart validates the number of attributes and the parts of the key for a scan. A
// key of the table itself is validated later.
func (s *search) checkScanStart() error {
	if err := s.checkStartLength(); err != nil {
		if s.index == nil {
			return invalid(badStart + ": The provided key element does not match the schema")
		}
		return err
	}
	if s.index == nil {
		return nil
	}
	if err := s.checkStartPart(0); err != nil {
		return err
	}
	return s.checkStartPart(1)
}

// startBehind makes the search start after its starting key, which it validates.
func (s *search) startBehind() error {
	if s.start == nil {
		return nil
	}
	if err := s.table.checkStartOwner(s.start); err != nil {
		return err
	}
	storedKey, ok := appendKey(nil, s.relation, s.start)
	if !ok {
		return invalid(badStart)
	}
	if err := s.checkStart(storedKey); err != nil {
		return err
	}
	s.span.startAfter(storedKey)
	return nil
}

// checkStartOwner validates the key of the table, which is part of the key in an index.
func (t *table) checkStartOwner(key Item) error {
	own := Item{}
	for _, name := range t.key.Names() {
		if v, ok := key[name]; ok {
			own[name] = v
		}
	}
	err := t.checkKey(own)
	var bad *value.ValidationError
	if errors.As(err, &bad) {
		return invalid("%s: %s", badStart, bad.Message)
	}
	return err
}

// checkStart checks whether a page can start after storedKey.
func (s *search) checkStart(storedKey []byte) error {
	switch {
	case s.span.holds(storedKey):
		return nil
	case s.partition == nil:
		return invalid("%s: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. %s", badStart, s.segment)
	case !s.bounded:
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	case s.holdsSort(storedKey):
		return invalid("The query can return at most one row and cannot be restarted")
	}
	return invalid("The provided starting key does not match the range key predicate")
}

// holdsSort reports whether the sort key of storedKey, in any partition, is in the queried
// range.
func (s *search) holdsSort(storedKey []byte) bool {
	of, ok := appendPartition(nil, s.relation, s.start[s.relation.key.Hash.Name])
	return ok && s.span.holds(append(bytes.Clone(s.partition), storedKey[len(of):]...))
}
