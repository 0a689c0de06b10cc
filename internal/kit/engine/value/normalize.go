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
	// MaxDepth is the maximum nesting depth of values; a scalar attribute has depth one.
	MaxDepth = 32
	// MaxNameLength is the longest attribute name in bytes.
	MaxNameLength = 65535

	// SeveralTypes is the tag of a [types.UnknownUnionMember] that represents a value with
	// more than one type. Only JSON can contain one; [Normalize] refuses it everywhere,
	// with the appropriate text.
	SeveralTypes = "several types"
)

// NormalizeItem checks every attribute of an item like [Normalize], and its names. It
// returns item itself if nothing has changed, otherwise a modified copy; it never modifies
// item.
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

// Normalize validates a value from outside: one type, no empty set, no duplicates in sets,
// numbers in range, at most [MaxDepth] levels. The result has canonical numbers and sorted
// sets, so that equal values have equal bytes; it is v itself if it already was canonical.
// Errors are [ValidationError]s.
func Normalize(v types.AttributeValue) (types.AttributeValue, error) {
	n, err := anyOrder.normalize(v, 1)
	if err != nil {
		n, err = byName.normalize(v, 1)
	}
	return n, err
}

// visit is the order in which maps are visited. Any order is fast and sufficient for valid
// values. An invalid value is visited once more, as a whole and sorted by name, so that the
// reported error is deterministic: repeating each level would double the work with every
// level.
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

// normalizeMap returns nil if nothing has changed.
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

// normalizeList returns nil if nothing has changed.
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

// normalizeNumbers returns nil if nothing has changed.
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

// normalizeNumber returns s itself if it is canonical.
func normalizeNumber(s string) (string, error) {
	if isPlain(s) {
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

// isPlain recognizes most canonical numbers, such as counts and times, without parsing: up to
// 38 digits in all.
func isPlain(s string) bool {
	whole, fraction, hasPoint := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	switch {
	case whole == "", !isDigits(whole), !isDigits(fraction), len(whole)+len(fraction) > maxDigits:
		return false
	case hasPoint:
		return (whole == "0" || whole[0] != '0') && fraction != "" && fraction[len(fraction)-1] != '0'
	}
	return whole[0] != '0' || s == "0"
}

func isPlainInteger(s string) bool { return isPlain(s) && !strings.Contains(s, ".") }

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

// Depth returns the nesting depth of v: 1 for a scalar or a set, one more than the deepest
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
