package keyspec

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// valuesByType caches the compiled conversions of the types of values in conditions and
// updates.
var valuesByType sync.Map // map[valueKey]*value

type valueKey struct {
	typ       reflect.Type
	precision time.Duration
}

// given is a Go value with its conversion.
type given struct {
	*value
	at unsafe.Pointer
}

// valueIn returns the conversion of any storable Go value for a row. It fails for an untyped nil.
func (c *codec) valueIn(x any) (given, error) {
	typ := reflect.TypeOf(x)
	key := valueKey{typ, c.precision}
	cached, ok := valuesByType.Load(key)
	if !ok {
		v, err := valueOf(typ, c.precision)
		if err != nil {
			return given{}, err
		}
		cached, _ = valuesByType.LoadOrStore(key, &v)
	}
	return boxed(x, cached.(*value)), nil
}

// valueOf is like valueIn, but a value of a field's type is converted like the field.
func (c *codec) valueOf(f *field, x any) (given, error) {
	if reflect.TypeOf(x) == f.typ {
		return boxed(x, &f.value), nil
	}
	return c.valueIn(x)
}

func boxed(x any, v *value) given {
	box := reflect.New(v.typ)
	box.Elem().Set(reflect.ValueOf(x))
	return given{v, box.UnsafePointer()}
}

// isNil reports whether the value is a nil pointer, list or map.
func (g given) isNil() bool { return g.nilable() && g.zero(g.at) }

func (g given) stored() types.AttributeValue { return g.encode(g.at, nil) }
