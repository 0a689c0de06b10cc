package keyspec

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// valuesByType caches the compiled conversions of the types of values in conditions and
// updates.
var valuesByType sync.Map // map[reflect.Type]*value

// given is a Go value with its conversion.
type given struct {
	*value
	at unsafe.Pointer
}

// valueIn returns the conversion of any storable Go value. It fails for an untyped nil.
func valueIn(x any) (given, error) {
	typ := reflect.TypeOf(x)
	cached, ok := valuesByType.Load(typ)
	if !ok {
		v, err := valueOf(typ)
		if err != nil {
			return given{}, err
		}
		cached, _ = valuesByType.LoadOrStore(typ, &v)
	}
	box := reflect.New(typ)
	box.Elem().Set(reflect.ValueOf(x))
	return given{cached.(*value), box.UnsafePointer()}, nil
}

// isNil reports whether the value is a nil pointer, list or map.
func (g given) isNil() bool { return g.nilable() && g.zero(g.at) }

func (g given) stored() types.AttributeValue { return g.encode(g.at, nil) }
