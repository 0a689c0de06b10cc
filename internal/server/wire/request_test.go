package wire_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"stoa/internal/server/wire"
)

func TestDecodeRequest(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       wire.Request
	}{
		{"query only", ` {"query" : "{a}"} `, wire.Request{Query: "{a}"}},
		{"last of several", `{"query":"{a}","query":"{b}"}`, wire.Request{Query: "{b}"}},
		{"escapes", `{"query":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é😀"}`, wire.Request{Query: "\"\\/\b\f\n\r\té😀 é😀"}},
		{"lone surrogates", `{"query":"\ud83d \ude00 \ud83d\ud83d\ude00 \ud83dx"}`, wire.Request{Query: "\ufffd \ufffd \ufffd😀 \ufffdx"}},
		{"numbers", `{"query":"","variables":{"i":-12,"z":0,"big":9223372036854775808,"f":1.5,"e":1E2,"w":-20.0,"huge":1e300,"n":null,"t":true,"x":false,"l":[],"o":{}}}`,
			wire.Request{Variables: map[string]any{"i": int64(-12), "z": int64(0), "big": 9223372036854775808.0, "f": 1.5, "e": int64(100), "w": int64(-20), "huge": 1e300,
				"n": nil, "t": true, "x": false, "l": []any{}, "o": map[string]any{}}}},
		{"nested", `{"query":"","variables":{"a":[{"b":[1,"c",[null]]}]}}`,
			wire.Request{Variables: map[string]any{"a": []any{map[string]any{"b": []any{int64(1), "c", []any{nil}}}}}}},
		{"hash instead of query", `{"extensions":{"a":1,"persistedQuery":{"version":1,"sha256Hash":"` + strings.Repeat("0F", 32) + `"}}}`,
			wire.Request{Hash: (*[32]byte)([]byte(strings.Repeat("\x0f", 32)))}},
		{"null hash", `{"query":"{a}","extensions":{"persistedQuery":null}}`, wire.Request{Query: "{a}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := wire.DecodeRequest([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestDecodeRequestRefuses(t *testing.T) {
	nested := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for body, want := range map[string]string{
		``:                            "request is empty: send a JSON object with a `query`",
		`null`:                        "request must be a JSON object with a `query`",
		`{`:                           "JSON ends early, where a member's name should start",
		`{"query"`:                    "JSON ends early, where a colon should follow a member's name",
		`{"query":`:                   "`query` must be a string",
		`{"query":"{a}",}`:            "unexpected '}' at byte 15, after a comma",
		`{"query":"{a}" "x":1}`:       `unexpected '"' at byte 15, where a comma or the end of a list or object should be`,
		`{query:"{a}"}`:               "unexpected 'q' at byte 1, where a member's name should start",
		"{\"query\":\"a\nb\"}":        `unexpected '\n' at byte 11, in a string, where it must be escaped`,
		`{"query":"a`:                 "JSON ends early, in a string",
		`{"query":"\`:                 "JSON ends early, in a string",
		`{"query":"\x"}`:              "unexpected 'x' at byte 11, after a backslash",
		`{"query":"\u12g4"}`:          `unexpected 'u' at byte 11, after \u, which four hexadecimal digits must follow`,
		`{"query":"\u12`:              `JSON ends early, after \u, which four hexadecimal digits must follow`,
		`{"x":01,"query":""}`:         "unexpected '1' at byte 6, where a comma or the end of a list or object should be",
		`{"x":-,"query":""}`:          "unexpected ',' at byte 6, in a number",
		`{"x":1.,"query":""}`:         "unexpected ',' at byte 7, after a decimal point",
		`{"x":1e,"query":""}`:         "unexpected ',' at byte 7, in an exponent",
		`{"x":1e999,"query":""}`:      "number 1e999 is out of range",
		`{"x":nul,"query":""}`:        "unexpected 'n' at byte 5, where a value should start",
		`{"x":` + nested + `}`:        "lists and objects nest deeper than 128 levels",
		`{"query":"{a}"}{}`:           "unexpected '{' at byte 15, after the value",
		`{"query":5}`:                 "`query` must be a string",
		`{"query":"","variables":[]}`: "`variables` must be an object or null",
		`{"extensions":{"persistedQuery":{"version":1}}}`: "`extensions.persistedQuery.sha256Hash` must be a SHA-256 in 64 hexadecimal digits",
		`{"extensions":{"persistedQuery":[]}}`:            "`extensions.persistedQuery` must be an object or null",
	} {
		if _, err := wire.DecodeRequest([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
}

func TestRequestFromURL(t *testing.T) {
	got, err := wire.RequestFromURL(url.Values{"query": {"{a}"}, "operationName": {"A"}, "variables": {`{"n":1}`}, "extensions": {`null`}})
	want := wire.Request{Query: "{a}", OperationName: "A", Variables: map[string]any{"n": int64(1)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, test := range []struct{ name, value, want string }{
		{"variables", `{} x`, "parameter `variables`: unexpected 'x' at byte 3, after the value"},
		{"variables", "\xff", "parameter `variables`: not valid UTF-8"},
		{"extensions", `1`, "parameter `extensions`: `extensions` must be an object or null"},
	} {
		if _, err := wire.RequestFromURL(url.Values{"query": {"{a}"}, test.name: {test.value}}); err == nil || err.Error() != test.want {
			t.Errorf("%s=%s: got %v, want %s", test.name, test.value, err, test.want)
		}
	}
}

// What the parser takes, encoding/json takes too and reads alike, and the other way
// round, except for texts that are not UTF-8, nest deep or hold huge numbers.
func FuzzVariables(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,2.5,-0,1e3,"x\u00e9\ud83d\ude00",null,true,{"b":{}}]}`, `{"a":"\ud800"}`, `{"a":1,"a":2}`, `{"a" : [ ] }`, `{"a":.5}`, `{"a":tru}`, `[`, `{"":""}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := wire.RequestFromURL(url.Values{"query": {""}, "variables": {text}})
		var want map[string]any
		wantErr := json.Unmarshal([]byte(text), &want)
		if err == nil && text != "" && wantErr != nil {
			t.Fatalf("accepted %q, which is not JSON: %v", text, wantErr)
		}
		if err != nil {
			if message := err.Error(); wantErr == nil && !strings.Contains(message, "UTF-8") && !strings.Contains(message, "deeper") && !strings.Contains(message, "range") {
				t.Fatalf("refused %q: %v", text, err)
			}
			return
		}
		if text != "" && !reflect.DeepEqual(asFloats(got.Variables), any(want)) && len(want)+len(got.Variables) > 0 {
			t.Fatalf("%q: got %#v, want %#v", text, got.Variables, want)
		}
	})
}

// asFloats turns integers into what encoding/json makes of them.
func asFloats(value any) any {
	switch v := value.(type) {
	case int64:
		return float64(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = asFloats(v[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name := range v {
			object[name] = asFloats(v[name])
		}
		return object
	}
	return value
}
