package keyspec

import (
	"fmt"
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/stamp"
)

// wire is the stored type of a value.
type wire string

const (
	wireText   wire = "S"
	wireNumber wire = "N"
	wireBool   wire = "BOOL"
	wireBytes  wire = "B"
	wireList   wire = "L"
	wireMap    wire = "M"
	wireSet    wire = "SS"
	// wireAny is any type, as determined by a JSON text.
	wireAny wire = "any"
)

// value converts values of one Go type. All functions take a pointer to the value.
//
// The pointers are unsafe because the plan of a struct is untyped; each is computed from an
// address and an offset or element size of the same type.
type value struct {
	typ  reflect.Type
	wire wire
	// isText, isStamp and isNumber determine the slots that the value can fill.
	isText, isStamp, isNumber bool

	zero   func(p unsafe.Pointer) bool
	equal  func(p, q unsafe.Pointer) bool
	encode func(p unsafe.Pointer, s *slab) types.AttributeValue
	decode func(av types.AttributeValue, p unsafe.Pointer) error
	// format and parse convert values stored as text or number, which can also fill slots;
	// format is never called for a zero value. truth parses values stored as a bool.
	format func(p unsafe.Pointer) string
	truth  func(p unsafe.Pointer) bool
	parse  func(text string, p unsafe.Pointer) error
}

// nilable reports whether the zero value is nil.
func (v *value) nilable() bool {
	switch v.typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	default:
		return false
	}
}

// slab allocates stored texts in blocks.
type slab struct{ free []types.AttributeValueMemberS }

func newSlab(n int) *slab { return &slab{make([]types.AttributeValueMemberS, n)} }

func (s *slab) text(v string) types.AttributeValue {
	if s == nil || len(s.free) == 0 {
		return &types.AttributeValueMemberS{Value: v}
	}
	av := &s.free[0]
	s.free = s.free[1:]
	av.Value = v
	return av
}

var (
	numeralType = reflect.TypeFor[Numeral]()
	setType     = reflect.TypeFor[Set]()
	jsonType    = reflect.TypeFor[JSON]()
	timeType    = reflect.TypeFor[time.Time]()
)

// valueOf returns the conversion of a type. Times are stored with the precision, which is
// milliseconds, nanoseconds or, by default, microseconds.
func valueOf(typ reflect.Type, precision time.Duration) (value, error) {
	v, err := compileValue(typ, precision)
	v.typ = typ
	return v, err
}

func compileValue(typ reflect.Type, precision time.Duration) (value, error) {
	switch {
	case typ == numeralType:
		return numeralValue(), nil
	case typ == setType:
		return setValue(), nil
	case typ == jsonType:
		return jsonValue(), nil
	case typ == timeType && precision == time.Nanosecond:
		return timeValue(time.Time.UnixNano, stamp.NanoOf, parseNano), nil
	case typ == timeType && precision == time.Millisecond:
		return timeValue(time.Time.UnixMilli, stamp.MilliOf, parseMilli), nil
	case typ == timeType:
		return timeValue(time.Time.UnixMicro, stamp.MicroOf, parseMicro), nil
	}
	switch typ.Kind() {
	case reflect.String:
		return textValue(), nil
	case reflect.Bool:
		return boolValue(), nil
	case reflect.Int:
		return integerValue[int](), nil
	case reflect.Int32:
		return integerValue[int32](), nil
	case reflect.Int64:
		return integerValue[int64](), nil
	case reflect.Float64:
		return floatValue(), nil
	case reflect.Pointer:
		return pointerTo(typ, precision)
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return bytesValue(), nil
		}
		return listOf(typ, precision)
	case reflect.Map:
		return mapOf(typ, precision)
	case reflect.Struct:
		return structOf(typ, precision)
	default:
		return value{}, fmt.Errorf("type %s cannot be stored", typ)
	}
}

func mismatch(want wire, av types.AttributeValue) error {
	return fmt.Errorf("stored as %T, expected %s", av, want)
}

// isNull reports whether an attribute is stored as NULL, which is read as absent.
func isNull(av types.AttributeValue) bool {
	_, null := av.(*types.AttributeValueMemberNULL)
	return null
}

// decodeAs returns a decode function for values stored as an A. NULL is read as absent.
func decodeAs[A types.AttributeValue](want wire, take func(av A, p unsafe.Pointer) error) func(types.AttributeValue, unsafe.Pointer) error {
	return func(av types.AttributeValue, p unsafe.Pointer) error {
		if a, ok := av.(A); ok {
			return take(a, p)
		}
		if isNull(av) {
			return nil
		}
		return mismatch(want, av)
	}
}

// plain converts comparable values of type V. A zero value is an absent attribute.
func plain[V comparable](w wire) value {
	return value{
		wire:  w,
		zero:  func(p unsafe.Pointer) bool { var zero V; return *(*V)(p) == zero },
		equal: func(p, q unsafe.Pointer) bool { return *(*V)(p) == *(*V)(q) },
	}
}

// withText adds the functions for values stored as text.
func (v value) withText(format func(unsafe.Pointer) string, parse func(string, unsafe.Pointer) error) value {
	v.format, v.parse = format, parse
	v.encode = func(p unsafe.Pointer, s *slab) types.AttributeValue { return s.text(format(p)) }
	v.decode = decodeAs(wireText, func(text *types.AttributeValueMemberS, p unsafe.Pointer) error { return parse(text.Value, p) })
	return v
}

// withNumber adds the functions for values stored as numbers.
func (v value) withNumber(format func(unsafe.Pointer) string, parse func(string, unsafe.Pointer) error) value {
	v.isNumber = true
	v.format, v.parse = format, parse
	v.encode = func(p unsafe.Pointer, _ *slab) types.AttributeValue {
		return &types.AttributeValueMemberN{Value: format(p)}
	}
	v.decode = decodeAs(wireNumber, func(n *types.AttributeValueMemberN, p unsafe.Pointer) error { return parse(n.Value, p) })
	return v
}

func textValue() value {
	v := plain[string](wireText).withText(
		func(p unsafe.Pointer) string { return *(*string)(p) },
		func(text string, p unsafe.Pointer) error { *(*string)(p) = text; return nil })
	v.isText = true
	return v
}

func integerValue[V int | int32 | int64]() value {
	bits := int(unsafe.Sizeof(V(0)) * 8)
	return plain[V](wireNumber).withNumber(
		func(p unsafe.Pointer) string { return strconv.FormatInt(int64(*(*V)(p)), 10) },
		func(text string, p unsafe.Pointer) error {
			n, err := strconv.ParseInt(text, 10, bits)
			*(*V)(p) = V(n)
			return err
		})
}

func floatValue() value {
	return plain[float64](wireNumber).withNumber(
		func(p unsafe.Pointer) string { return strconv.FormatFloat(*(*float64)(p), 'f', -1, 64) },
		func(text string, p unsafe.Pointer) (err error) {
			*(*float64)(p), err = strconv.ParseFloat(text, 64)
			return err
		})
}

func boolValue() value {
	v := plain[bool](wireBool)
	v.truth = func(p unsafe.Pointer) bool { return *(*bool)(p) }
	v.encode = func(p unsafe.Pointer, _ *slab) types.AttributeValue {
		return &types.AttributeValueMemberBOOL{Value: *(*bool)(p)}
	}
	v.decode = decodeAs(wireBool, func(b *types.AttributeValueMemberBOOL, p unsafe.Pointer) error {
		*(*bool)(p) = b.Value
		return nil
	})
	return v
}
