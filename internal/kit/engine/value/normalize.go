package value

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	// MaxDepth is how many levels values may nest; a scalar attribute is one level.
	MaxDepth = 32
	// MaxNameLength is the longest attribute name in bytes.
	MaxNameLength = 65535

	// SeveralTypes is the tag of a [types.UnknownUnionMember] that stands for a value
	// of more than one type. Only JSON can hold one; [Normalize] refuses it wherever
	// it is, with the text of that place.
	SeveralTypes = "several types"
)

// NormalizeItem checks every attribute of an item as [Normalize] does, and its
// names. It returns item itself when nothing had to change, a changed copy
// otherwise; item is never modified.
func NormalizeItem(item map[string]types.AttributeValue) (map[string]types.AttributeValue, error) {
	changed, err := anyOrder.normalizeMap(item, 1)
	if err != nil {
		_, err = byName.normalizeMap(item, 1)
	}
	if err != nil || changed == nil {
		return item, err
	}
	return changed, nil
}

// Normalize checks a value from outside: one type, no empty set, no element twice
// in a set, numbers in range, at most [MaxDepth] levels. The result has its numbers
// in canonical text and its sets in order, so that equal values have equal bytes; it is
// v itself when it already was so. Errors are [ValidationError]s.
func Normalize(v types.AttributeValue) (types.AttributeValue, error) {
	n, err := anyOrder.normalize(v, 1)
	if err != nil {
		n, err = byName.normalize(v, 1)
	}
	return n, err
}

// visit is the order in which maps are visited. Any order is cheap and good enough for
// values that are accepted. One that is refused is visited once more, as a whole and by
// name, so that of several faults the same one is always reported: looking again at each
// level would double the work with every level.
type visit bool

const (
	anyOrder visit = false
	byName   visit = true
)

func (o visit) normalize(v types.AttributeValue, level int) (types.AttributeValue, error) {
	if level > MaxDepth {
		return nil, ErrDepth
	}
	switch v := v.(type) {
	case *types.AttributeValueMemberS, *types.AttributeValueMemberB, *types.AttributeValueMemberBOOL:
		return v, nil
	case *types.AttributeValueMemberN:
		text, err := normalizeNumber(v.Value)
		if err != nil || text == v.Value {
			return v, err
		}
		return &types.AttributeValueMemberN{Value: text}, nil
	case *types.AttributeValueMemberNULL:
		if !v.Value {
			return nil, errNull
		}
		return v, nil
	case *types.AttributeValueMemberM:
		changed, err := o.normalizeMap(v.Value, level+1)
		if err != nil || changed == nil {
			return v, err
		}
		return &types.AttributeValueMemberM{Value: changed}, nil
	case *types.AttributeValueMemberL:
		changed, err := o.normalizeList(v.Value, level+1)
		if err != nil || changed == nil {
			return v, err
		}
		return &types.AttributeValueMemberL{Value: changed}, nil
	case *types.AttributeValueMemberSS:
		if err := checkStrings(v.Value); err != nil || slices.IsSorted(v.Value) {
			return v, err
		}
		return &types.AttributeValueMemberSS{Value: slices.Sorted(slices.Values(v.Value))}, nil
	case *types.AttributeValueMemberBS:
		if err := checkBinaries(v.Value); err != nil || slices.IsSortedFunc(v.Value, bytes.Compare) {
			return v, err
		}
		return &types.AttributeValueMemberBS{Value: slices.SortedFunc(slices.Values(v.Value), bytes.Compare)}, nil
	case *types.AttributeValueMemberNS:
		changed, err := normalizeNumbers(v.Value)
		if err != nil || changed == nil {
			return v, err
		}
		return &types.AttributeValueMemberNS{Value: changed}, nil
	case *types.UnknownUnionMember:
		if v.Tag == SeveralTypes {
			return nil, errSeveral
		}
	}
	return nil, errEmpty
}

// normalizeMap returns nil when nothing had to change.
func (o visit) normalizeMap(m map[string]types.AttributeValue, level int) (map[string]types.AttributeValue, error) {
	if o == byName {
		return nil, firstFault(m, level)
	}
	var changed map[string]types.AttributeValue
	for name, v := range m {
		n, err := o.normalizeEntry(name, v, level)
		if err != nil {
			return nil, err
		}
		if n == v {
			continue
		}
		if changed == nil {
			changed = maps.Clone(m)
		}
		changed[name] = n
	}
	return changed, nil
}

func firstFault(m map[string]types.AttributeValue, level int) error {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, err := byName.normalizeEntry(name, m[name], level); err != nil {
			return err
		}
	}
	return nil
}

func (o visit) normalizeEntry(name string, v types.AttributeValue, level int) (types.AttributeValue, error) {
	switch {
	case name == "":
		return nil, errName
	case len(name) > MaxNameLength:
		return nil, errLongName
	}
	return o.normalize(v, level)
}

// normalizeList returns nil when nothing had to change.
func (o visit) normalizeList(list []types.AttributeValue, level int) ([]types.AttributeValue, error) {
	var changed []types.AttributeValue
	for i, v := range list {
		n, err := o.normalize(v, level)
		if err != nil {
			return nil, err
		}
		if n == v {
			continue
		}
		if changed == nil {
			changed = slices.Clone(list)
		}
		changed[i] = n
	}
	return changed, nil
}

// normalizeNumbers returns nil when nothing had to change.
func normalizeNumbers(set []string) ([]string, error) {
	if len(set) == 0 {
		return nil, errEmptyNumberSet
	}
	var changed []string
	for i, s := range set {
		text, err := normalizeNumber(s)
		if err != nil {
			return nil, err
		}
		if text == s {
			continue
		}
		if changed == nil {
			changed = slices.Clone(set)
		}
		changed[i] = text
	}
	if hasTwins(set, numberKey) {
		return nil, errTwinNumbers
	}
	if changed == nil {
		changed = set
	}
	if !slices.IsSortedFunc(changed, orderNumbers) {
		return slices.SortedFunc(slices.Values(changed), orderNumbers), nil
	}
	if &changed[0] == &set[0] {
		return nil, nil
	}
	return changed, nil
}

// normalizeNumber returns s itself when it is canonical.
func normalizeNumber(s string) (string, error) {
	if isPlainInteger(s) {
		return s, nil
	}
	n, err := ParseNumber(s)
	if err != nil {
		return "", err
	}
	var buf [maxText]byte
	if text := n.AppendTo(buf[:0]); string(text) != s {
		return string(text), nil
	}
	return s, nil
}

// isPlainInteger recognises the usual numbers, counts and times, without parsing:
// up to 38 digits that start with no zero.
func isPlainInteger(s string) bool {
	if s == "0" {
		return true
	}
	s = strings.TrimPrefix(s, "-")
	if s == "" || len(s) > maxDigits || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func checkStrings(set []string) error {
	if len(set) == 0 {
		return errEmptyStringSet
	}
	if hasTwins(set, stringKey) {
		return Invalid("One or more parameter values were invalid: Input collection [%s] contains duplicates.",
			strings.Join(set, ", "))
	}
	return nil
}

func checkBinaries(set [][]byte) error {
	if len(set) == 0 {
		return errEmptyBinarySet
	}
	if !hasTwins(set, binaryKey) {
		return nil
	}
	texts := make([]string, len(set))
	for i, b := range set {
		texts[i] = base64.StdEncoding.EncodeToString(b)
	}
	return Invalid("One or more parameter values were invalid: Input collection [%s]of type BS contains duplicates.",
		strings.Join(texts, ", "))
}

// Depth returns how many levels v has: 1 for a scalar or a set, one more than the deepest
// element for a list or map.
func Depth(v types.AttributeValue) int {
	deepest := 0
	switch v := v.(type) {
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			deepest = max(deepest, Depth(e))
		}
	case *types.AttributeValueMemberM:
		for _, e := range v.Value {
			deepest = max(deepest, Depth(e))
		}
	}
	return deepest + 1
}
