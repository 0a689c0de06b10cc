package value

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// smallSet is the size up to which comparing all pairs beats building a map.
const smallSet = 16

// Keys of set elements: the string, the number and the bytes.
func stringKey(s string) string { return s }
func binaryKey(b []byte) string { return string(b) }

// numberKey is for sets from outside, whose numbers are valid but in any notation.
func numberKey(s string) Number {
	n, _ := ParseNumber(s)
	return n
}

// orderNumbers compares the numbers of a set.
func orderNumbers(a, b string) int {
	order, _ := compareNumbers(a, b)
	return order
}

// The operands of the functions below must be results of [Normalize], and so are their
// results.

// Union returns the set a with the elements of b added, sharing elements with both; ok is
// false unless a and b are sets of the same type.
func Union(a, b types.AttributeValue) (union types.AttributeValue, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberSS:
		if b, ok := b.(*types.AttributeValueMemberSS); ok {
			return &types.AttributeValueMemberSS{Value: merge(a.Value, b.Value, strings.Compare)}, true
		}
	case *types.AttributeValueMemberNS:
		if b, ok := b.(*types.AttributeValueMemberNS); ok {
			return &types.AttributeValueMemberNS{Value: merge(a.Value, b.Value, orderNumbers)}, true
		}
	case *types.AttributeValueMemberBS:
		if b, ok := b.(*types.AttributeValueMemberBS); ok {
			return &types.AttributeValueMemberBS{Value: merge(a.Value, b.Value, bytes.Compare)}, true
		}
	}
	return nil, false
}

// Difference returns the set a without the elements of b, or nil if none are left, since
// sets cannot be empty; ok is false unless both are sets of the same type.
func Difference(a, b types.AttributeValue) (rest types.AttributeValue, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberSS:
		if b, ok := b.(*types.AttributeValueMemberSS); ok {
			if left := without(a.Value, b.Value, strings.Compare); len(left) > 0 {
				return &types.AttributeValueMemberSS{Value: left}, true
			}
			return nil, true
		}
	case *types.AttributeValueMemberNS:
		if b, ok := b.(*types.AttributeValueMemberNS); ok {
			if left := without(a.Value, b.Value, orderNumbers); len(left) > 0 {
				return &types.AttributeValueMemberNS{Value: left}, true
			}
			return nil, true
		}
	case *types.AttributeValueMemberBS:
		if b, ok := b.(*types.AttributeValueMemberBS); ok {
			if left := without(a.Value, b.Value, bytes.Compare); len(left) > 0 {
				return &types.AttributeValueMemberBS{Value: left}, true
			}
			return nil, true
		}
	}
	return nil, false
}

// Has reports whether the set holds element, a value of the set's element type.
func Has(set, element types.AttributeValue) bool {
	switch set := set.(type) {
	case *types.AttributeValueMemberSS:
		e, ok := element.(*types.AttributeValueMemberS)
		return ok && slices.Contains(set.Value, e.Value)
	case *types.AttributeValueMemberNS:
		e, ok := element.(*types.AttributeValueMemberN)
		return ok && slices.Contains(set.Value, e.Value)
	case *types.AttributeValueMemberBS:
		e, ok := element.(*types.AttributeValueMemberB)
		return ok && slices.ContainsFunc(set.Value, func(b []byte) bool { return string(b) == string(e.Value) })
	default:
		return false
	}
}

// hasTwins reports whether two elements have the same key.
func hasTwins[T any, K comparable](set []T, key func(T) K) bool {
	if len(set) <= smallSet {
		var keys [smallSet]K
		for i, e := range set {
			keys[i] = key(e)
			if slices.Contains(keys[:i], keys[i]) {
				return true
			}
		}
		return false
	}
	return len(keysOf(set, key)) < len(set)
}

func keysOf[T any, K comparable](set []T, key func(T) K) map[K]struct{} {
	keys := make(map[K]struct{}, len(set))
	for _, e := range set {
		keys[key(e)] = struct{}{}
	}
	return keys
}

// merge returns the elements of two sets that are in order.
func merge[T any](a, b []T, order func(a, b T) int) []T {
	all := make([]T, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch o := order(a[0], b[0]); {
		case o < 0:
			all, a = append(all, a[0]), a[1:]
		case o > 0:
			all, b = append(all, b[0]), b[1:]
		default:
			all, a, b = append(all, a[0]), a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// without returns the elements of a that are not in b; both are in order.
func without[T any](a, b []T, order func(a, b T) int) []T {
	var rest []T
	for len(a) > 0 && len(b) > 0 {
		switch o := order(a[0], b[0]); {
		case o < 0:
			rest, a = append(rest, a[0]), a[1:]
		case o > 0:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return append(rest, a...)
}
