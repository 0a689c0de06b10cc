package keyspec

import (
	"fmt"
	"maps"
	"reflect"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// deepEqual returns an equality function for types that are not comparable.
func deepEqual(typ reflect.Type) func(p, q unsafe.Pointer) bool {
	return func(p, q unsafe.Pointer) bool {
		return reflect.DeepEqual(reflect.NewAt(typ, p).Interface(), reflect.NewAt(typ, q).Interface())
	}
}

// pointerTo stores nil as an absent attribute, and the pointed-to value even if it is zero.
func pointerTo(typ reflect.Type, precision time.Duration) (value, error) {
	elem, err := valueOf(typ.Elem(), precision)
	if err != nil {
		return value{}, err
	}
	target := func(p unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(p) }
	fresh := func(p unsafe.Pointer) unsafe.Pointer {
		// Setting the value through its own pointer type makes it visible to the garbage
		// collector.
		reflect.NewAt(typ, p).Elem().Set(reflect.New(typ.Elem()))
		return target(p)
	}
	v := value{
		wire: elem.wire, isText: elem.isText, isStamp: elem.isStamp, isNumber: elem.isNumber,
		zero: func(p unsafe.Pointer) bool { return target(p) == nil },
		equal: func(p, q unsafe.Pointer) bool {
			a, b := target(p), target(q)
			return a == b || a != nil && b != nil && elem.equal(a, b)
		},
		encode: func(p unsafe.Pointer, s *slab) types.AttributeValue { return elem.encode(target(p), s) },
		decode: func(av types.AttributeValue, p unsafe.Pointer) error {
			if isNull(av) {
				return nil
			}
			return elem.decode(av, fresh(p))
		},
	}
	if elem.truth != nil {
		v.truth = func(p unsafe.Pointer) bool { return elem.truth(target(p)) }
	}
	if elem.format != nil {
		v.format = func(p unsafe.Pointer) string { return elem.format(target(p)) }
		v.parse = func(text string, p unsafe.Pointer) error { return elem.parse(text, fresh(p)) }
	}
	return v, nil
}

func bytesValue() value {
	return value{
		wire:  wireBytes,
		zero:  func(p unsafe.Pointer) bool { return *(*[]byte)(p) == nil },
		equal: deepEqual(reflect.TypeFor[[]byte]()),
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			return &types.AttributeValueMemberB{Value: *(*[]byte)(p)}
		},
		decode: decodeAs(wireBytes, func(b *types.AttributeValueMemberB, p unsafe.Pointer) error {
			*(*[]byte)(p) = b.Value
			return nil
		}),
	}
}

// listOf stores a slice as a list. Nil is absent, an empty slice is an empty list.
func listOf(typ reflect.Type, precision time.Duration) (value, error) {
	elem, err := valueOf(typ.Elem(), precision)
	if err != nil {
		return value{}, err
	}
	size := typ.Elem().Size()
	return value{
		wire:  wireList,
		zero:  func(p unsafe.Pointer) bool { return reflect.NewAt(typ, p).Elem().IsNil() },
		equal: deepEqual(typ),
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			slice := reflect.NewAt(typ, p).Elem()
			first := slice.UnsafePointer()
			list := make([]types.AttributeValue, slice.Len())
			texts := newSlab(len(list))
			for i := range list {
				list[i] = elem.encode(unsafe.Add(first, uintptr(i)*size), texts)
			}
			return &types.AttributeValueMemberL{Value: list}
		},
		decode: decodeAs(wireList, func(list *types.AttributeValueMemberL, p unsafe.Pointer) error {
			slice := reflect.MakeSlice(typ, len(list.Value), len(list.Value))
			reflect.NewAt(typ, p).Elem().Set(slice)
			first := slice.UnsafePointer()
			for i, e := range list.Value {
				if err := elem.decode(e, unsafe.Add(first, uintptr(i)*size)); err != nil {
					return fmt.Errorf("element %d: %w", i, err)
				}
			}
			return nil
		}),
	}, nil
}

// mapOf stores a map with text keys as a map. Nil is absent.
func mapOf(typ reflect.Type, precision time.Duration) (value, error) {
	if typ.Key().Kind() != reflect.String {
		return value{}, fmt.Errorf("type %s cannot be stored: keys of a map are text", typ)
	}
	elem, err := valueOf(typ.Elem(), precision)
	if err != nil {
		return value{}, err
	}
	if typ == reflect.TypeFor[map[string]string]() {
		return textsValue(), nil
	}
	return value{
		wire:  wireMap,
		zero:  func(p unsafe.Pointer) bool { return reflect.NewAt(typ, p).Elem().IsNil() },
		equal: deepEqual(typ),
		encode: func(p unsafe.Pointer, s *slab) types.AttributeValue {
			source := reflect.NewAt(typ, p).Elem()
			entries := make(map[string]types.AttributeValue, source.Len())
			for it := source.MapRange(); it.Next(); {
				entry := reflect.New(typ.Elem())
				entry.Elem().Set(it.Value())
				entries[it.Key().String()] = elem.encode(entry.UnsafePointer(), nil)
			}
			return &types.AttributeValueMemberM{Value: entries}
		},
		decode: decodeAs(wireMap, func(stored *types.AttributeValueMemberM, p unsafe.Pointer) error {
			target := reflect.MakeMapWithSize(typ, len(stored.Value))
			for name, e := range stored.Value {
				entry := reflect.New(typ.Elem())
				if err := elem.decode(e, entry.UnsafePointer()); err != nil {
					return fmt.Errorf("entry %q: %w", name, err)
				}
				target.SetMapIndex(reflect.ValueOf(name).Convert(typ.Key()), entry.Elem())
			}
			reflect.NewAt(typ, p).Elem().Set(target)
			return nil
		}),
	}, nil
}

// textsValue stores a map of texts, which needs no reflection.
func textsValue() value {
	return value{
		wire: wireMap,
		zero: func(p unsafe.Pointer) bool { return *(*map[string]string)(p) == nil },
		equal: func(p, q unsafe.Pointer) bool {
			a, b := *(*map[string]string)(p), *(*map[string]string)(q)
			return (a == nil) == (b == nil) && maps.Equal(a, b)
		},
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			source := *(*map[string]string)(p)
			entries, texts := make(map[string]types.AttributeValue, len(source)), newSlab(len(source))
			for name, text := range source {
				entries[name] = texts.text(text)
			}
			return &types.AttributeValueMemberM{Value: entries}
		},
		decode: decodeAs(wireMap, func(stored *types.AttributeValueMemberM, p unsafe.Pointer) error {
			target := make(map[string]string, len(stored.Value))
			for name, e := range stored.Value {
				switch e := e.(type) {
				case *types.AttributeValueMemberS:
					target[name] = e.Value
				case *types.AttributeValueMemberNULL:
					target[name] = ""
				default:
					return fmt.Errorf("entry %q: %w", name, mismatch(wireText, e))
				}
			}
			*(*map[string]string)(p) = target
			return nil
		}),
	}
}

// structOf stores a struct as a map of its attributes. A struct whose fields are all
// zero is absent.
func structOf(typ reflect.Type, precision time.Duration) (value, error) {
	c, err := compile(typ, precision)
	if err != nil {
		return value{}, err
	}
	for _, f := range c.fields {
		if f.keyOnly {
			return value{}, fmt.Errorf("attribute %q is inside another attribute and cannot be %s", f.name, keyOnly)
		}
	}
	return value{
		wire: wireMap,
		zero: func(p unsafe.Pointer) bool {
			for _, f := range c.fields {
				if !f.zero(f.at(p)) {
					return false
				}
			}
			return true
		},
		equal: func(p, q unsafe.Pointer) bool {
			for _, f := range c.fields {
				if !f.equal(f.at(p), f.at(q)) {
					return false
				}
			}
			return true
		},
		encode: func(p unsafe.Pointer, _ *slab) types.AttributeValue {
			entries := make(map[string]types.AttributeValue, len(c.fields))
			c.encodeNested(p, entries)
			return &types.AttributeValueMemberM{Value: entries}
		},
		decode: decodeAs(wireMap, func(stored *types.AttributeValueMemberM, p unsafe.Pointer) error {
			return c.decode(stored.Value, p)
		}),
	}, nil
}
