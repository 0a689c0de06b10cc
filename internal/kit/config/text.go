package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

var durationType = reflect.TypeFor[time.Duration]()

// text returns the field's value in the form of a flag.
func (f *Field) text() (string, error) {
	if m, ok := f.value.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch v := f.value; {
	case v.Type() == durationType:
		return time.Duration(v.Int()).String(), nil
	case v.Kind() == reflect.String:
		return v.String(), nil
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), nil
	case v.Kind() == reflect.Int:
		return strconv.FormatInt(v.Int(), 10), nil
	case v.Kind() == reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), nil
	case isStrings(v.Type()):
		return strings.Join(v.Interface().([]string), ","), nil
	default:
		return "", fmt.Errorf("values of type %s are not supported", v.Type())
	}
}

// set parses text and sets the field. The error completes a sentence that starts with the
// setting and its source, and states the valid values.
func (f *Field) set(text string, source Source) error {
	if err := f.parse(text); err != nil {
		shown := strconv.Quote(redact(text))
		if f.Secret {
			shown = mask
		}
		return fmt.Errorf("setting %s (%s): %s %w", f.Name, source, shown, err)
	}
	f.source = source
	return nil
}

func (f *Field) parse(text string) error {
	if u, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch v := f.value; {
	case v.Type() == durationType:
		d, err := time.ParseDuration(text)
		if text != "0" && err != nil {
			return fmt.Errorf("is not a duration: write one like 250ms, 30s or 2h")
		}
		if d < 0 {
			return fmt.Errorf("is negative: write 0 or a duration like 250ms")
		}
		v.SetInt(int64(d))
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.Kind() == reflect.Bool:
		switch text {
		case "true", "on":
			v.SetBool(true)
		case "false", "off":
			v.SetBool(false)
		default:
			return fmt.Errorf("is neither true nor false")
		}
	case v.Kind() == reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("is not a whole number from 0 up")
		}
		v.SetInt(int64(n))
	case v.Kind() == reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 0 && n <= maxFloat) {
			return fmt.Errorf("is not a number from 0 up")
		}
		v.SetFloat(n)
	default:
		entries := splitList(text)
		if entries == nil && text != "" {
			return fmt.Errorf("has commas and no entries: write a,b or nothing")
		}
		v.Set(reflect.ValueOf(entries))
	}
	return nil
}

// maxFloat excludes infinities; it is far beyond any sensible setting.
const maxFloat = 1e15

// splitList splits `a, b` into two entries. An empty text has none.
func splitList(text string) []string {
	var entries []string
	for _, entry := range strings.Split(text, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

func isStrings(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
}
