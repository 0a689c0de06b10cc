package value

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

const (
	// MaxItemSize is the maximum size of an item, in bytes as counted by [ItemSize].
	MaxItemSize = 400 << 10
	// MaxHashKeySize and MaxSortKeySize are the maximum sizes of key values, in bytes.
	MaxHashKeySize = 2048
	MaxSortKeySize = 1024

	// containerSize is the size of each list or map itself, elementSize the additional size
	// of each element.
	containerSize = 3
	elementSize   = 1
)

// ItemSize returns the size of an item in bytes as charged and limited by DynamoDB: its
// names and values.
func ItemSize(item map[string]types.AttributeValue) int {
	n := 0
	for name, v := range item {
		n += len(name) + Size(v)
	}
	return n
}

// Fits reports whether an item is no larger than MaxItemSize. It stops as soon as that is
// known: an update may assign one large value to hundreds of places.
func Fits(item map[string]types.AttributeValue) bool { return spareMap(item, MaxItemSize) >= 0 }

// spareMap and spare return the part of size bytes that a value leaves, negative if it
// takes more.
func spareMap(m map[string]types.AttributeValue, size int) int {
	for name, v := range m {
		if size = spare(v, size-len(name)); size < 0 {
			break
		}
	}
	return size
}

func spare(v types.AttributeValue, size int) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		return spareMap(v.Value, size-containerSize-len(v.Value)*elementSize)
	case *types.AttributeValueMemberL:
		size -= containerSize + len(v.Value)*elementSize
		for _, e := range v.Value {
			if size = spare(e, size); size < 0 {
				break
			}
		}
		return size
	}
	return size - Size(v)
}

// Size returns the size of one value in bytes as DynamoDB counts it.
func Size(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return NumberSize(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberBOOL, *types.AttributeValueMemberNULL:
		return 1
	case *types.AttributeValueMemberM:
		return containerSize + len(v.Value)*elementSize + ItemSize(v.Value)
	case *types.AttributeValueMemberL:
		n := containerSize + len(v.Value)*elementSize
		for _, e := range v.Value {
			n += Size(e)
		}
		return n
	case *types.AttributeValueMemberSS:
		n := 0
		for _, s := range v.Value {
			n += len(s)
		}
		return n
	case *types.AttributeValueMemberNS:
		n := 0
		for _, s := range v.Value {
			n += NumberSize(s)
		}
		return n
	case *types.AttributeValueMemberBS:
		n := 0
		for _, b := range v.Value {
			n += len(b)
		}
		return n
	default:
		return 0
	}
}

// NumberSize returns the size of a number text: a byte for each two significant
// digits, one more, and one more for a minus. Zero takes one byte.
func NumberSize(s string) int {
	n, err := ParseNumber(s)
	if err != nil || n.Sign() == 0 {
		return 1
	}
	size := 1 + (len(n.digits)+1)/2
	if n.negative {
		size++
	}
	return size
}
