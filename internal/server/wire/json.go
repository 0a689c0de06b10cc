package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode decodes data, which must be a single JSON value. Errors are intended for a
// client's developer and call the whole value root.
func decode(data []byte, root string, into any) error {
	if !utf8.Valid(data) {
		return errors.New("not valid UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber() // a float64 cannot represent every id
	err := decoder.Decode(into)
	var broken *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New(root + " is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("JSON ends early")
	case errors.As(err, &broken):
		return fmt.Errorf("not valid JSON: %w, at byte %d", broken, broken.Offset)
	case errors.As(err, &other):
		return wrongType(root, other)
	case err != nil:
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("not valid JSON: something follows the value at byte %d", decoder.InputOffset())
	}
	return nil
}

// decodeWhole decodes the members of data, which must be an object and is called root, into
// targets, by their exact names, and ignores others. A target that is given twice is refused:
// encoding/json would mix the two.
func decodeWhole(data []byte, root string, targets map[string]any) error {
	var all map[string]json.RawMessage
	if err := decode(data, root, &all); err != nil {
		return err
	}
	if all == nil {
		return errors.New(root + " must be a JSON object")
	}
	return takeMembers(data, all, "", targets)
}

// decodeMembers does what decodeWhole does with an object that is itself a member, at a path.
func decodeMembers(data []byte, path string, targets map[string]any) error {
	var all map[string]json.RawMessage
	if err := decodeMember(data, path, &all); err != nil {
		return err
	}
	return takeMembers(data, all, path+".", targets)
}

func takeMembers(data []byte, all map[string]json.RawMessage, prefix string, targets map[string]any) error {
	if name := repeated(data, targets); name != "" {
		return fmt.Errorf("`%s%s` is given twice", prefix, name)
	}
	for name, target := range targets {
		if raw, ok := target.(*json.RawMessage); ok {
			*raw = all[name]
		} else if all[name] != nil {
			if err := decodeMember(all[name], prefix+name, target); err != nil {
				return err
			}
		}
	}
	return nil
}

// decodeMember decodes the value of a member.
func decodeMember(data []byte, path string, into any) error {
	err := decode(data, "`"+path+"`", into)
	var other *typeError
	if errors.As(err, &other) {
		return fmt.Errorf("`%s` must be %s", path, wanted(other.kind))
	}
	return err
}

// repeated returns the first name that an object has twice, or "". The data must be JSON.
func repeated(data []byte, names map[string]any) string {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return ""
	}
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || decoder.Decode(&value) != nil {
			return ""
		}
		if _, asked := names[name]; !asked {
			continue
		}
		if seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}

// typeError is the error of a whole value that is of another type than wanted.
type typeError struct {
	root string
	kind reflect.Kind
}

func (e *typeError) Error() string { return e.root + " must be a JSON object" }

func wrongType(root string, err *json.UnmarshalTypeError) error {
	if err.Field == "" {
		return &typeError{root, err.Type.Kind()}
	}
	return fmt.Errorf("`%s` must be %s", err.Field, wanted(err.Type.Kind()))
}

// wanted names the values of a kind.
func wanted(kind reflect.Kind) string {
	switch kind {
	case reflect.Struct, reflect.Map:
		return "an object or null"
	case reflect.Int:
		return "a whole number"
	}
	return "a string"
}

// literalOf converts the numbers within value to the types of GraphQL literals: int64 for
// whole numbers, including those written like 20.0, and float64 otherwise. Numbers that
// neither can represent remain json.Number, which a scalar may accept.
func literalOf(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case json.Number:
		return literalNumber(string(v))
	case []any:
		for i := range v {
			if v[i], err = literalOf(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range v {
			if v[name], err = literalOf(v[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// exactDigits is the number of decimal digits that every float64 preserves.
const exactDigits = 15

// Exact reports whether a number in GraphQL or JSON syntax can be represented as an int64
// or float64.
func Exact(text string) bool {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return true
	}
	mantissa := text
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
	}
	digits := strings.Trim(strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1), "0")
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && len(digits) <= exactDigits && (f != 0 || digits == "")
}

// maxExact is the largest number up to which float64 represents all whole numbers.
const maxExact = 1 << 53

func literalNumber(text string) (any, error) {
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, nil
		}
	}
	if !Exact(text) {
		return json.Number(text), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("number %.40s is out of range", text)
	}
	// Some clients have only one type of number and write 20 as 20.0. Beyond maxExact, a
	// float is ambiguous.
	if f == math.Trunc(f) && math.Abs(f) <= maxExact {
		return int64(f), nil
	}
	return f, nil
}
