package messaging

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// JSON is any value as compact JSON text; "" is null.
type JSON string

const (
	// maxDepth is the maximum nesting of lists and objects that can be stored.
	maxDepth = 30
	// maxDigits and maxExponent limit numbers that can be stored.
	maxDigits   = 38
	maxExponent = 125
)

// JSONOf returns a decoded value as JSON.
func JSONOf(v any) (JSON, error) {
	if v == nil {
		return "", nil
	}
	if err := checkValue(v, maxDepth); err != nil {
		return "", err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", badInput("INVALID_JSON", "The value cannot be written as JSON")
	}
	return JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// checkValue refuses values that cannot be stored.
func checkValue(v any, depth int) error {
	if depth == 0 {
		return badInput("INVALID_JSON", "Lists and objects lie in each other %d deep at most", maxDepth)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if name == "" {
				return badInput("INVALID_JSON", "Members of objects need a name")
			}
			if err := checkValue(member, depth-1); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err := checkValue(element, depth-1); err != nil {
				return err
			}
		}
	case json.Number:
		return checkNumber(string(v))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return badInput("INVALID_JSON", "Not a number")
		}
		return checkNumber(strconv.FormatFloat(v, 'e', -1, 64))
	}
	return nil
}

func checkNumber(text string) error {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			power = math.MaxInt32
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if strings.TrimRight(digits, "0") == "" {
		return nil
	}
	// The number is 0.digits times ten to the power of size.
	size := power + len(whole) - (len(whole+fraction) - len(digits))
	if len(strings.TrimRight(digits, "0")) > maxDigits || size > maxExponent || size < -maxExponent {
		return badInput("INVALID_JSON", "A number has %d digits at most and lies within ten to the power of %d: not %.40q", maxDigits, maxExponent, text)
	}
	return nil
}

// IsNull reports whether the value is null.
func (j JSON) IsNull() bool { return j == "" || j == "null" }

// checkData refuses public or private data that are too large.
func checkData(field string, j JSON) error {
	if len(j) > maxData {
		return badInput("TOO_LARGE", "%s has %d bytes as JSON, %d are allowed", field, len(j), maxData)
	}
	return nil
}

// CheckPublic and CheckPrivate refuse data that are too large.
func CheckPublic(j JSON) error  { return checkData("public", j) }
func CheckPrivate(j JSON) error { return checkData("private", j) }

// object returns the members of an object, or nil for any other value.
func (j JSON) object() map[string]any {
	d := json.NewDecoder(strings.NewReader(string(j)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	object, _ := v.(map[string]any)
	return object
}

// Text returns the text of a value: a string itself, the member txt of an object, or "".
func (j JSON) Text() string {
	var text string
	if json.Unmarshal([]byte(j), &text) == nil {
		return text
	}
	text, _ = j.object()["txt"].(string)
	return text
}
