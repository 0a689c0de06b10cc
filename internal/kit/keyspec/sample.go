package keyspec

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// sampleEpoch is the base time of samples.
var sampleEpoch = time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)

// Sample returns an item with all attributes set, which is in all indexes of the row. Items
// for different n differ in all attributes.
func (e *Entity[T]) Sample(n int) T { return *(*T)(e.sample(n)) }

func (r *row) sample(n int) unsafe.Pointer {
	p := reflect.New(r.codec.typ).UnsafePointer()
	for _, f := range r.codec.fields {
		if f.wire == wireAny && f.typ.Kind() == reflect.String {
			f.reflect(p).SetString(fmt.Sprintf(`{"%s":[%d]}`, f.name, n))
			continue
		}
		fillSample(f.reflect(p), f.name, n, r.codec.precision)
	}
	for _, k := range r.keys {
		if c := k.when; c.field != nil && !c.not {
			c.field.reflect(p).SetString(c.value)
		}
	}
	return p
}

// reflect returns the field of the struct at p, for uses that are not time-critical.
func (f *field) reflect(p unsafe.Pointer) reflect.Value { return reflect.NewAt(f.typ, f.at(p)).Elem() }

func fillSample(v reflect.Value, name string, n int, precision time.Duration) {
	switch {
	case v.Type() == timeType:
		v.Set(reflect.ValueOf(sampleEpoch.Truncate(precision).Add(time.Duration(n) * time.Hour)))
		return
	case v.Type() == numeralType:
		v.SetString(fmt.Sprintf("%d.25", n))
		return
	case v.Type() == jsonType:
		v.SetString(fmt.Sprintf(`{"%s":[%d]}`, name, n))
		return
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes(fmt.Appendf(nil, "%s-%d", name, n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d", name, n))
	case reflect.Bool:
		v.SetBool(n%2 == 1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Float64:
		v.SetFloat(float64(n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillSample(v.Elem(), name, n, precision)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillSample(v.Index(0), name, n, precision)
		fillSample(v.Index(1), name, n+1, precision)
	case reflect.Map:
		entry := reflect.New(v.Type().Elem()).Elem()
		fillSample(entry, name, n, precision)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), entry)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get(tag) != "-" {
				fillSample(v.Field(i), f.Name, n, precision)
			}
		}
	}
}
