package value

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// smallSet is the size up to which comparing all pairs beats building a map.
const smallSet = 16

// A set is told apart by keys: the string, the number and the bytes.
func stringKey(s string) string { return s }
func binaryKey(b []byte) string { return string(b) }

// numberKey needs a valid number: sets are checked when they come in.
func numberKey(s string) Number {
	n, _ := ParseNumber(s)
	return n
}

// orderNumbers orders the numbers of a set.
func orderNumbers(a, b string) int {
	order, _ := compareNumbers(a, b)
	return order
}

// Union returns the set a with the elements of b added, in order, sharing elements with
// both; ok is false unless a and b are sets of the same type.
func Union(a, b types.AttributeValue) (union types.AttributeValue, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberSS:
		if b, ok := b.(*types.AttributeValueMemberSS); ok {
			return &types.AttributeValueMemberSS{Value: join(a.Value, b.Value, stringKey, strings.Compare)}, true
		}
	case *types.AttributeValueMemberNS:
		if b, ok := b.(*types.AttributeValueMemberNS); ok {
			return &types.AttributeValueMemberNS{Value: join(a.Value, b.Value, numberKey, orderNumbers)}, true
		}
	case *types.AttributeValueMemberBS:
		if b, ok := b.(*types.AttributeValueMemberBS); ok {
			return &types.AttributeValueMemberBS{Value: join(a.Value, b.Value, binaryKey, bytes.Compare)}, true
		}
	}
	return nil, false
}

// Difference returns the set a without the elements of b, or nil when none is
// left, since no set is empty; ok is false unless both are sets of the same type.
func Difference(a, b types.AttributeValue) (rest types.AttributeValue, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberSS:
		if b, ok := b.(*types.AttributeValueMemberSS); ok {
			if left := without(a.Value, b.Value, stringKey); len(left) > 0 {
				return &types.AttributeValueMemberSS{Value: left}, true
			}
			return nil, true
		}
	case *types.AttributeValueMemberNS:
		if b, ok := b.(*types.AttributeValueMemberNS); ok {
			if left := without(a.Value, b.Value, numberKey); len(left) > 0 {
				return &types.AttributeValueMemberNS{Value: left}, true
			}
			return nil, true
		}
	case *types.AttributeValueMemberBS:
		if b, ok := b.(*types.AttributeValueMemberBS); ok {
			if left := without(a.Value, b.Value, binaryKey); len(left) > 0 {
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
		return ok && slices.ContainsFunc(set.Value, func(s string) bool {
			order, ok := compareNumbers(s, e.Value)
			return ok && order == 0
		})
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

func equalSets[T any, K comparable](a, b []T, key func(T) K) bool {
	if len(a) != len(b) {
		return false
	}
	return len(without(a, b, key)) == 0
}

func join[T any, K comparable](a, b []T, key func(T) K, order func(a, b T) int) []T {
	joined := append(slices.Clone(a), without(b, a, key)...)
	slices.SortFunc(joined, order)
	return joined
}

// without returns the elements of a whose key is not in b.
func without[T any, K comparable](a, b []T, key func(T) K) []T {
	var keys map[K]struct{}
	if len(b) > smallSet {
		keys = keysOf(b, key)
	}
	var rest []T
	for _, e := range a {
		k := key(e)
		var found bool
		if keys != nil {
			_, found = keys[k]
		} else {
			found = slices.ContainsFunc(b, func(f T) bool { return key(f) == k })
		}
		if !found {
			rest = append(rest, e)
		}
	}
	return rest
}
