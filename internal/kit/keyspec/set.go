package keyspec

import (
	"slices"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Set is stored as a string set. Transactions can add and remove members by value; see
// Update.Include. It is read sorted and without duplicates. An empty set is absent, because
// DynamoDB does not store empty sets.
type Set []string

// SetOf returns the Set of some members.
func SetOf[S ~string](members []S) Set {
	set := make(Set, len(members))
	for i, m := range members {
		set[i] = string(m)
	}
	return set
}

// Numeral is a number of any precision as decimal text, such as 0.29. Numerals are compared
// as text.
type Numeral string

func setValue() value {
	members := func(p unsafe.Pointer) []string {
		sorted := slices.Clone(*(*Set)(p))
		slices.Sort(sorted)
		return slices.Compact(sorted)
	}
	return value{
		wire:  wireSet,
		zero:  func(p unsafe.Pointer) bool { return len(*(*Set)(p)) == 0 },
		equal: func(p, q unsafe.Pointer) bool { return slices.Equal(members(p), members(q)) },
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			return &types.AttributeValueMemberSS{Value: members(p)}
		},
		decode: decodeAs(wireSet, func(set *types.AttributeValueMemberSS, p unsafe.Pointer) error {
			*(*Set)(p) = slices.Sorted(slices.Values(set.Value))
			return nil
		}),
	}
}

func numeralValue() value {
	return plain[Numeral](wireNumber).withNumber(
		func(p unsafe.Pointer) string { return *(*string)(p) },
		func(text string, p unsafe.Pointer) error { *(*string)(p) = text; return nil })
}
