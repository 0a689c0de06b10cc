package wire

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// decode decodes a body, which must be valid JSON, into the input of an operation. Members
// have the names of the struct's fields; unknown ones are ignored. Values of the wrong JSON
// type are refused with DynamoDB's texts, which name Java types.
func decode(body []byte, in any) error {
	r := readers.Get().(*reader)
	*r = reader{text: body}
	v := reflect.ValueOf(in).Elem()
	err := decoderOf(v.Type())(r, v, member)
	*r = reader{}
	readers.Put(r)
	return err
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// decoder decodes one value of a Go type.
type decoder func(r *reader, v reflect.Value, at location) error

// location is where a value occurs, which determines the text for a scalar of the wrong type.
type location string

const (
	member  location = "Unexpected field type"
	element location = "Unexpected value type in payload"
)

// decoders caches the decoders of types.
var decoders sync.Map // reflect.Type → decoder

func decoderOf(t reflect.Type) decoder {
	if d, ok := decoders.Load(t); ok {
		return d.(decoder)
	}
	d, _ := decoders.LoadOrStore(t, newDecoder(t))
	return d.(decoder)
}

var (
	valueType = reflect.TypeFor[types.AttributeValue]()
	itemType  = reflect.TypeFor[map[string]types.AttributeValue]()
	bytesType = reflect.TypeFor[[]byte]()
)

func newDecoder(t reflect.Type) decoder {
	switch {
	case t == valueType:
		return decodeAttribute
	case t == itemType:
		return decodeItem
	case t == bytesType:
		return decodeBytes
	}
	switch t.Kind() {
	case reflect.Pointer:
		return newPointerDecoder(t)
	case reflect.Struct:
		return newStructDecoder(t)
	case reflect.Map:
		return newMapDecoder(t)
	case reflect.Slice:
		return newSliceDecoder(t)
	case reflect.String:
		return decodeString
	case reflect.Bool:
		return decodeBool
	case reflect.Int32, reflect.Int64:
		return decodeInt
	}
	return func(r *reader, _ reflect.Value, _ location) error {
		return malformed("No request has a member of type " + t.String())
	}
}

func newPointerDecoder(t reflect.Type) decoder {
	target := t.Elem()
	read := decoderOf(target)
	return func(r *reader, v reflect.Value, at location) error {
		if r.peek() == 'n' {
			r.skip()
			return nil
		}
		p := reflect.New(target)
		v.Set(p)
		return read(r, p.Elem(), at)
	}
}

// field is a field of a struct's decoder.
type field struct {
	index int
	read  decoder
}

// newStructDecoder maps the names of members to fields.
func newStructDecoder(t reflect.Type) decoder {
	fields := map[string]field{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			fields[f.Name] = field{i, decoderOf(f.Type)}
		}
	}
	return func(r *reader, v reflect.Value, at location) error {
		if ok, err := r.isObject(t, at); !ok {
			return err
		}
		for more := r.enter(); more; more = r.next() {
			f, known := fields[string(r.key())]
			if !known {
				r.skip()
				continue
			}
			if err := f.read(r, v.Field(f.index), member); err != nil {
				return err
			}
		}
		return nil
	}
}

func newMapDecoder(t reflect.Type) decoder {
	read := decoderOf(t.Elem())
	return func(r *reader, v reflect.Value, at location) error {
		if ok, err := r.isObject(t, at); !ok {
			return err
		}
		v.Set(reflect.MakeMap(t))
		for more := r.enter(); more; more = r.next() {
			key, e := string(r.key()), reflect.New(t.Elem()).Elem()
			if err := read(r, e, element); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
		return nil
	}
}

func newSliceDecoder(t reflect.Type) decoder {
	read := decoderOf(t.Elem())
	return func(r *reader, v reflect.Value, at location) error {
		if ok, err := r.isArray(at); !ok {
			return err
		}
		v.Set(reflect.MakeSlice(t, 0, 4))
		for more := r.enter(); more; more = r.next() {
			n := v.Len()
			v.Grow(1)
			v.SetLen(n + 1)
			if err := read(r, v.Index(n), element); err != nil {
				return err
			}
		}
		return nil
	}
}

// isObject reports whether the next value is an object. It returns false for null and skips
// it.
func (r *reader) isObject(t reflect.Type, at location) (bool, error) {
	switch r.peek() {
	case '{':
		return true, nil
	case 'n':
		r.skip()
		return false, nil
	case '[':
		return false, malformed("Unrecognized collection type " + javaClass(t))
	default:
		return false, malformed(string(at))
	}
}

// isArray is isObject for arrays.
func (r *reader) isArray(at location) (bool, error) {
	switch r.peek() {
	case '[':
		return true, nil
	case 'n':
		r.skip()
		return false, nil
	case '{':
		return false, malformed("Start of structure or map found where not expected")
	default:
		return false, malformed(string(at))
	}
}

func decodeString(r *reader, v reflect.Value, _ location) error {
	s, _, err := r.readString()
	if err == nil {
		v.SetString(s)
	}
	return err
}

// readString parses a string; ok is false for null.
func (r *reader) readString() (s string, ok bool, err error) {
	if r.peek() == '"' {
		return r.str(), true, nil
	}
	return "", false, r.notScalar("String")
}

func decodeBool(r *reader, v reflect.Value, _ location) error {
	b, _, err := r.readBool()
	if err == nil {
		v.SetBool(b)
	}
	return err
}

func (r *reader) readBool() (b, ok bool, err error) {
	switch r.peek() {
	case 't', 'f':
		return r.raw()[0] == 't', true, nil
	case '"':
		switch strings.ToLower(r.str()) {
		case "true", "1", "yes":
			return true, true, nil
		case "false", "0", "no":
			return false, true, nil
		}
		return false, false, malformed("Unexpected token received from parser")
	default:
		return false, false, r.notScalar("Boolean")
	}
}

// decodeInt truncates fractions and saturates values that are too large.
func decodeInt(r *reader, v reflect.Value, _ location) error {
	largest, name := int64(math.MaxInt32), "Integer"
	if v.Kind() == reflect.Int64 {
		largest, name = math.MaxInt64, "Long"
	}
	if c := r.peek(); c != '-' && (c < '0' || c > '9') {
		return r.notScalar(name)
	}
	raw := string(r.raw())
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(raw, 64)
		switch {
		case f >= math.MaxInt64:
			n = math.MaxInt64
		case f <= math.MinInt64:
			n = math.MinInt64
		default:
			n = int64(f)
		}
	}
	v.SetInt(max(min(n, largest), -largest-1))
	return nil
}

func decodeBytes(r *reader, v reflect.Value, _ location) error {
	b, _, err := r.readBytes()
	if err == nil {
		v.SetBytes(b)
	}
	return err
}

func (r *reader) readBytes() (b []byte, ok bool, err error) {
	switch c := r.peek(); c {
	case '"':
		b, err = fromBase64(r.str())
		return b, err == nil, err
	case '[', '{', 'n':
		return nil, false, r.notScalar("ByteBuffer")
	default:
		return nil, false, malformed("only base-64-encoded strings are convertible to bytes")
	}
}

func fromBase64(s string) ([]byte, error) {
	if len(s)%4 != 0 {
		return nil, malformed(fmt.Sprintf("Base64 encoded length is expected a multiple of 4 bytes but found: %d", len(s)))
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err == nil {
		return b, nil
	}
	if _, err := base64.StdEncoding.DecodeString(s); err == nil {
		return nil, malformed("Invalid last non-pad Base64 character dectected")
	}
	return nil, malformed("Invalid Base64 encoding")
}

// notScalar refuses a value in place of a scalar of another type; null is allowed and
// skipped.
func (r *reader) notScalar(wanted string) error {
	switch c := r.peek(); c {
	case 'n':
		r.skip()
		return nil
	case '{':
		return malformed("Start of structure or map found where not expected")
	case '[':
		if wanted == "ByteBuffer" {
			return malformed("Unrecognized collection type class java.nio.ByteBuffer")
		}
		return malformed("Unrecognized collection type class java.lang." + wanted)
	case '"':
		return malformed("STRING_VALUE cannot be converted to " + wanted)
	case 't':
		return malformed("TRUE_VALUE cannot be converted to " + wanted)
	case 'f':
		return malformed("FALSE_VALUE cannot be converted to " + wanted)
	default:
		if bytes.ContainsAny(r.raw(), ".eE") {
			return malformed("DECIMAL_VALUE cannot be converted to " + wanted)
		}
		return malformed("NUMBER_VALUE cannot be converted to " + wanted)
	}
}

// javaClass returns the class that DynamoDB decodes a value of type t into.
func javaClass(t reflect.Type) string {
	if t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
		return javaType(t)
	}
	return "class " + javaType(t)
}

func javaType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Map:
		return "java.util.Map<java.lang.String, " + javaType(t.Elem()) + ">"
	case reflect.Slice:
		return "java.util.List<" + javaType(t.Elem()) + ">"
	case reflect.Pointer:
		return javaType(t.Elem())
	case reflect.String:
		return "java.lang.String"
	default:
		return "com.amazonaws.dynamodb.v20120810." + t.Name()
	}
}
