package value

import (
	"bytes"
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

// Equal reports whether a and b have the same type and value. Numbers are compared
// by value and sets without regard to order, at every depth.
func Equal(a, b types.AttributeValue) bool {
	switch a := a.(type) {
	case *types.AttributeValueMemberS, *types.AttributeValueMemberN, *types.AttributeValueMemberB:
		order, ok := Compare(a, b)
		return ok && order == 0
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
		return ok && equalSets(a.Value, b.Value, stringKey)
	case *types.AttributeValueMemberNS:
		b, ok := b.(*types.AttributeValueMemberNS)
		return ok && equalSets(a.Value, b.Value, numberKey)
	case *types.AttributeValueMemberBS:
		b, ok := b.(*types.AttributeValueMemberBS)
		return ok && equalSets(a.Value, b.Value, binaryKey)
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
