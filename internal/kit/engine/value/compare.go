package value

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TypeOf returns DynamoDB's name of v's type ("S", "N", "BOOL", "SS" and so on),
// or "" for a value of no type.
func TypeOf(v types.AttributeValue) string {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return "S"
	case *types.AttributeValueMemberN:
		return "N"
	case *types.AttributeValueMemberB:
		return "B"
	case *types.AttributeValueMemberBOOL:
		return "BOOL"
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberM:
		return "M"
	case *types.AttributeValueMemberL:
		return "L"
	case *types.AttributeValueMemberSS:
		return "SS"
	case *types.AttributeValueMemberNS:
		return "NS"
	case *types.AttributeValueMemberBS:
		return "BS"
	default:
		return ""
	}
}

// Compare returns -1, 0 or +1 for two values of the same type S, N or B: strings
// by their UTF-8 bytes, numbers by value, binaries by unsigned bytes. No other
// values have an order; ok is false for them.
func Compare(a, b types.AttributeValue) (order int, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, same := b.(*types.AttributeValueMemberS); same {
			return strings.Compare(a.Value, b.Value), true
		}
	case *types.AttributeValueMemberN:
		if b, same := b.(*types.AttributeValueMemberN); same {
			return compareNumbers(a.Value, b.Value)
		}
	case *types.AttributeValueMemberB:
		if b, same := b.(*types.AttributeValueMemberB); same {
			return bytes.Compare(a.Value, b.Value), true
		}
	}
	return 0, false
}

func compareNumbers(a, b string) (order int, ok bool) {
	if a == b {
		return 0, true
	}
	if isPlainInteger(a) && isPlainInteger(b) {
		return comparePlain(a, b), true
	}
	x, err := ParseNumber(a)
	if err != nil {
		return 0, false
	}
	y, err := ParseNumber(b)
	if err != nil {
		return 0, false
	}
	return x.Cmp(y), true
}

// comparePlain compares integers as isPlainInteger knows them.
func comparePlain(a, b string) int {
	switch below, above := a[0] == '-', b[0] == '-'; {
	case below && above:
		a, b = b[1:], a[1:]
	case below:
		return -1
	case above:
		return 1
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// Equal reports whether a and b have the same type and value. Both must be as
// [Normalize] returns them: equal numbers have equal texts then, and equal sets have
// their elements in the same order.
func Equal(a, b types.AttributeValue) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberB:
		b, ok := b.(*types.AttributeValueMemberB)
		return ok && bytes.Equal(a.Value, b.Value)
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberNULL:
		_, ok := b.(*types.AttributeValueMemberNULL)
		return ok
	case *types.AttributeValueMemberL:
		b, ok := b.(*types.AttributeValueMemberL)
		return ok && slices.EqualFunc(a.Value, b.Value, Equal)
	case *types.AttributeValueMemberM:
		b, ok := b.(*types.AttributeValueMemberM)
		return ok && equalMaps(a.Value, b.Value)
	case *types.AttributeValueMemberSS:
		b, ok := b.(*types.AttributeValueMemberSS)
		return ok && slices.Equal(a.Value, b.Value)
	case *types.AttributeValueMemberNS:
		b, ok := b.(*types.AttributeValueMemberNS)
		return ok && slices.Equal(a.Value, b.Value)
	case *types.AttributeValueMemberBS:
		b, ok := b.(*types.AttributeValueMemberBS)
		return ok && slices.EqualFunc(a.Value, b.Value, bytes.Equal)
	default:
		return false
	}
}

func equalMaps(a, b map[string]types.AttributeValue) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if w, ok := b[name]; !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}
