package keyspec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/jsonstring"
)

// JSON is any value as JSON text, stored natively: an object as a map, a number as a
// number. The value is preserved but not its text: members of objects are returned sorted
// by name, and numbers in the server's notation. Empty text and null are absent attributes.
type JSON string

func jsonValue() value {
	return value{
		wire:  wireAny,
		zero:  func(p unsafe.Pointer) bool { return *(*JSON)(p) == "" || *(*JSON)(p) == "null" },
		equal: func(p, q unsafe.Pointer) bool { return *(*JSON)(p) == *(*JSON)(q) },
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			return native(*(*JSON)(p))
		},
		decode: func(av types.AttributeValue, p unsafe.Pointer) error {
			if isNull(av) {
				return nil
			}
			text, err := appendJSON(nil, av)
			*(*JSON)(p) = JSON(text)
			return err
		},
	}
}

// native returns the value of a JSON text. Invalid text is stored as NULL: callers must
// validate texts from clients.
func native(text JSON) types.AttributeValue {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return null
	}
	return nativeOf(v)
}

func nativeOf(v any) types.AttributeValue {
	switch v := v.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case json.Number:
		return &types.AttributeValueMemberN{Value: string(v)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []any:
		list := make([]types.AttributeValue, len(v))
		for i := range v {
			list[i] = nativeOf(v[i])
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		members := make(map[string]types.AttributeValue, len(v))
		for name, member := range v {
			members[name] = nativeOf(member)
		}
		return &types.AttributeValueMemberM{Value: members}
	default:
		return null
	}
}

// appendJSON appends the text of a stored value.
func appendJSON(dst []byte, av types.AttributeValue) (_ []byte, err error) {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return jsonstring.Append(dst, v.Value), nil
	case *types.AttributeValueMemberN:
		return append(dst, v.Value...), nil
	case *types.AttributeValueMemberBOOL:
		return fmt.Append(dst, v.Value), nil
	case *types.AttributeValueMemberNULL:
		return append(dst, "null"...), nil
	case *types.AttributeValueMemberL:
		dst = append(dst, '[')
		for i, e := range v.Value {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendJSON(dst, e); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case *types.AttributeValueMemberM:
		names := make([]string, 0, len(v.Value))
		for name := range v.Value {
			names = append(names, name)
		}
		slices.Sort(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonstring.Append(dst, name), ':')
			if dst, err = appendJSON(dst, v.Value[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	default:
		return nil, mismatch(wireAny, av)
	}
}
