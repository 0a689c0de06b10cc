package wire

import (
	"encoding/base64"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/jsonstring"
)

// appendOutput appends the JSON form of an operation's output, a pointer to a struct. Nil
// and empty texts are omitted; counts are included even if zero.
func appendOutput(dst []byte, out any) []byte {
	return appendStruct(dst, reflect.ValueOf(out).Elem())
}

// structEncoder holds the members of a struct in order.
type structEncoder struct{ members []memberEncoder }

type memberEncoder struct {
	name   string
	prefix string // `"name":`
	index  int
}

var encoders sync.Map // reflect.Type → *structEncoder

func encoderOf(t reflect.Type) *structEncoder {
	if e, ok := encoders.Load(t); ok {
		return e.(*structEncoder)
	}
	e := &structEncoder{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Name != "ResultMetadata" {
			e.members = append(e.members, memberEncoder{name: f.Name, prefix: `"` + f.Name + `":`, index: i})
		}
	}
	stored, _ := encoders.LoadOrStore(t, e)
	return stored.(*structEncoder)
}

// append appends the member of the struct v, after a comma unless it is the first. It
// appends nothing if the member is absent.
func (m *memberEncoder) append(dst []byte, v reflect.Value, first bool) []byte {
	f := v.Field(m.index)
	if isAbsent(f) {
		return dst
	}
	if !first {
		dst = append(dst, ',')
	}
	return appendValue(append(dst, m.prefix...), f)
}

func isAbsent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return v.IsNil()
	case reflect.String:
		return v.Len() == 0
	default:
		return false
	}
}

func appendStruct(dst []byte, v reflect.Value) []byte {
	return append(appendMembers(append(dst, '{'), v, true), '}')
}

// appendMembers appends the members of a struct; first is set if nothing precedes them.
func appendMembers(dst []byte, v reflect.Value, first bool) []byte {
	members := encoderOf(v.Type()).members
	for i := range members {
		before := len(dst)
		dst = members[i].append(dst, v, first)
		first = first && len(dst) == before
	}
	return dst
}

func appendValue(dst []byte, v reflect.Value) []byte {
	switch x := v.Interface().(type) {
	case map[string]types.AttributeValue:
		return appendItem(dst, x)
	case types.AttributeValue:
		return appendAttribute(dst, x)
	case []map[string]types.AttributeValue:
		return appendList(dst, x, appendItem)
	case []byte:
		return appendBinary(dst, x)
	case time.Time:
		return appendFloat(dst, float64(x.UnixMilli())/1000)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return appendValue(dst, v.Elem())
	case reflect.Struct:
		return appendStruct(dst, v)
	case reflect.Map:
		return appendMap(dst, v)
	case reflect.Slice:
		return appendSlice(dst, v)
	case reflect.String:
		return jsonstring.Append(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Float64:
		return appendFloat(dst, v.Float())
	case reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	default:
		return append(dst, "null"...)
	}
}

// appendFloat appends a number, whole ones without a fraction.
func appendFloat(dst []byte, f float64) []byte { return strconv.AppendFloat(dst, f, 'f', -1, 64) }

func appendMap(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	first := true
	for entries := v.MapRange(); entries.Next(); {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsonstring.Append(dst, entries.Key().String()), ':')
		dst = appendValue(dst, entries.Value())
	}
	return append(dst, '}')
}

func appendSlice(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v.Index(i))
	}
	return append(dst, ']')
}

func appendItem(dst []byte, item map[string]types.AttributeValue) []byte {
	dst = append(dst, '{')
	first := true
	for name, v := range item {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsonstring.Append(dst, name), ':')
		dst = appendAttribute(dst, v)
	}
	return append(dst, '}')
}

func appendAttribute(dst []byte, v types.AttributeValue) []byte {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		dst = jsonstring.Append(append(dst, `{"S":`...), v.Value)
	case *types.AttributeValueMemberN:
		dst = jsonstring.Append(append(dst, `{"N":`...), v.Value)
	case *types.AttributeValueMemberB:
		dst = appendBinary(append(dst, `{"B":`...), v.Value)
	case *types.AttributeValueMemberBOOL:
		dst = strconv.AppendBool(append(dst, `{"BOOL":`...), v.Value)
	case *types.AttributeValueMemberNULL:
		dst = strconv.AppendBool(append(dst, `{"NULL":`...), v.Value)
	case *types.AttributeValueMemberM:
		dst = appendItem(append(dst, `{"M":`...), v.Value)
	case *types.AttributeValueMemberL:
		dst = appendList(append(dst, `{"L":`...), v.Value, appendAttribute)
	case *types.AttributeValueMemberSS:
		dst = appendList(append(dst, `{"SS":`...), v.Value, jsonstring.Append[string])
	case *types.AttributeValueMemberNS:
		dst = appendList(append(dst, `{"NS":`...), v.Value, jsonstring.Append[string])
	case *types.AttributeValueMemberBS:
		dst = appendList(append(dst, `{"BS":`...), v.Value, appendBinary)
	default:
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

func appendList[T any](dst []byte, list []T, appendOne func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendOne(dst, e)
	}
	return append(dst, ']')
}

func appendBinary(dst, b []byte) []byte {
	dst = base64.StdEncoding.AppendEncode(append(dst, '"'), b)
	return append(dst, '"')
}
